// Also tested in: main/compose/organization-erasure.test.ts (what the erasure destroys), system/attacks/erasure.test.ts (over
// HTTP).

import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { deleteOrganization } from './delete-organization.ts'
import { findErasure } from './find-erasure.ts'
import { requestErasure, requestErasureOfDeleted, requestExpiredErasures } from './request-erasure.ts'

const DAY = 86_400_000
const parts = useFixture(identityFixture)

const assertDeletable = async () => {}
const rowsOf = (organizationId: number) =>
  parts.db.selectFrom('organization_erasures').selectAll().where('organization_id', '=', organizationId).execute()
const deletedAt = async (organizationId: number) =>
  (
    await parts.db
      .selectFrom('organizations')
      .select('deleted_at')
      .where('id', '=', organizationId)
      .executeTakeFirstOrThrow()
  ).deleted_at

test('a request deletes the organization, and its receipt shows the progress', async () => {
  const { owner, organization: home } = await organization(parts)
  const { organizationId } = owner
  const requested = await requestErasure(parts, { actor: owner, name: home.name, assertDeletable })
  expect(requested.receipt).toMatch(/^[0-9A-Za-z]{43}$/)
  expect(await deletedAt(organizationId)).toEqual(requested.requestedAt)
  expect(await findErasure(parts, requested.receipt)).toMatchObject({ organizationId, finishedAt: null, erased: {} })
  expect(JSON.stringify(await rowsOf(organizationId))).not.toContain(requested.receipt)
  const another = `${requested.receipt.slice(0, -1)}${requested.receipt.endsWith('0') ? '1' : '0'}`
  await expect(findErasure(parts, another)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(requestErasure(parts, { actor: owner, name: home.name, assertDeletable })).rejects.toMatchObject({
    code: 'ORGANIZATION_NOT_FOUND',
  })
})

test('another name, a refusal or a failed commit neither deletes nor erases', async () => {
  const { owner, organization: home } = await organization(parts)
  const input = { actor: owner, name: home.name, assertDeletable }
  await expect(requestErasure(parts, { ...input, name: `${home.name} ` })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  })
  const refusing = async () => {
    throw new Error('unfinished')
  }
  await expect(requestErasure(parts, { ...input, assertDeletable: refusing })).rejects.toThrow('unfinished')
  await expect(requestErasure(parts, input, failingTransact(parts.db, 'no commit'))).rejects.toThrow('no commit')
  expect(await deletedAt(owner.organizationId)).toBeNull()
  expect(await rowsOf(owner.organizationId)).toEqual([])
})

test('the operator requests it once for a deleted organization, and never for another', async () => {
  const { owner, organization: home } = await organization(parts)
  const { organizationId } = owner
  await expect(requestErasureOfDeleted(parts, organizationId)).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(requestErasureOfDeleted(parts, 2 ** 40)).rejects.toMatchObject({
    code: 'ORGANIZATION_NOT_FOUND',
    message: 'No organization has this id.',
  })
  await deleteOrganization(parts, { actor: owner, name: home.name, assertDeletable })
  await requestErasureOfDeleted(parts, organizationId)
  const [first] = await rowsOf(organizationId)
  parts.clock.advance(DAY)
  await requestErasureOfDeleted(parts, organizationId)
  expect(await rowsOf(organizationId)).toEqual([first])
})

test('an organization that was deleted is erased when its retention is over, not before, and an active one never', async () => {
  const gone = await organization(parts)
  const active = await organization(parts)
  await deleteOrganization(parts, { actor: gone.owner, name: gone.organization.name, assertDeletable })
  parts.clock.advance(30 * DAY - 1)
  await requestExpiredErasures(parts, 30 * DAY)
  expect(await rowsOf(gone.owner.organizationId)).toEqual([])
  parts.clock.advance(1)
  await requestExpiredErasures(parts, 30 * DAY)
  await requestExpiredErasures(parts, 30 * DAY)
  expect(await rowsOf(gone.owner.organizationId)).toHaveLength(1)
  expect(await rowsOf(active.owner.organizationId)).toEqual([])
})

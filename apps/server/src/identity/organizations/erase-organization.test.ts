// Also tested in: main/compose/organization-erasure.test.ts (every column, and a crash in each step).

import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { Failure } from '../../kernel/index.ts'
import { verifyAuditLogs } from '../audit/verify-audit-log.ts'
import type { SecurityEventFacts } from '../security-events/security-event.ts'
import { deleteOrganization } from './delete-organization.ts'
import { IDENTITY_ERASURE } from './erase-identity.ts'
import { eraseOrganization, eraseRequested } from './erase-organization.ts'
import type { Erasure, ErasureStep } from './erasure.ts'
import { erasureBacklogSeconds } from './erasure-backlog.ts'
import { requestErasureOfDeleted } from './request-erasure.ts'

const parts = useFixture(identityFixture)

async function requested() {
  const { owner, organization: home, user } = await organization(parts)
  await deleteOrganization(parts, { actor: owner, name: home.name, assertDeletable: async () => {} })
  await requestErasureOfDeleted(parts, owner.organizationId)
  const email = async () =>
    (await parts.db.selectFrom('users').select('email').where('id', '=', user.id).executeTakeFirstOrThrow()).email
  return { organizationId: owner.organizationId, user, email }
}
const erasureOf = (organizationId: number) =>
  parts.db
    .selectFrom('organization_erasures')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
const counting = (name: string, ...batches: number[]): ErasureStep => ({
  name,
  erase: async () => batches.shift() ?? 0,
})

test('members lose names, addresses and passwords; the audit log stays whole and says that it is over', async () => {
  const { organizationId, user, email } = await requested()
  const recorded: SecurityEventFacts[] = []
  const securityEvents = { record: (facts: SecurityEventFacts) => recorded.push(facts), flush: async () => {} }
  const { erased, finishedAt } = await eraseOrganization(
    { ...parts, steps: IDENTITY_ERASURE, securityEvents },
    organizationId,
  )
  expect(finishedAt).toEqual(parts.clock.now())
  expect(erased.members).toBe(1)
  expect(await email()).toBe(`erased-${user.id}`)
  expect(recorded).toEqual([
    expect.objectContaining({ type: 'organization_erased', organizationId, actorType: 'system' }),
  ])
  const entries = parts.db
    .selectFrom('audit_log')
    .select(['action', 'details'])
    .where('organization_id', '=', organizationId)
  expect((await entries.orderBy('id', 'desc').execute())[0]).toEqual({
    action: 'finishErasure',
    details: expect.anything(),
  })
  for await (const { broken } of verifyAuditLogs(parts.db, [])) expect(broken).toBeUndefined()
})

test('a step runs until nothing is left, each batch with its progress, and a finished erasure runs nothing', async () => {
  const { organizationId } = await requested()
  const progress: [Erasure['step'], Erasure['erased']][] = []
  const steps = [counting('first', 5, 2), counting('second', 1)]
  await eraseOrganization({ ...parts, steps }, organizationId, ({ step, erased }) => progress.push([step, erased]))
  expect(progress).toEqual([
    ['first', { first: 5 }],
    ['first', { first: 7 }],
    ['second', { first: 7 }],
    ['second', { first: 7, second: 1 }],
    [null, { first: 7, second: 1 }],
  ])
  const again = await eraseOrganization({ ...parts, steps: [counting('first', 9)] }, organizationId)
  expect(again.erased).toEqual({ first: 7, second: 1 })
})

test('two processes at once erase each batch once', async () => {
  const { organizationId } = await requested()
  const steps = [counting('first', 1, 1, 1, 1), counting('second', 1, 1)]
  const both = await Promise.all([
    eraseOrganization({ ...parts, steps }, organizationId),
    eraseOrganization({ ...parts, steps }, organizationId),
  ])
  for (const { erased } of both) expect(erased).toEqual({ first: 4, second: 2 })
})

test('a step that must wait destroys nothing, shows why, and is tried again', async () => {
  const { organizationId, email } = await requested()
  let isOpen = true
  const waiting: ErasureStep = {
    name: 'ramp',
    async erase() {
      if (isOpen) throw new Failure('CONFLICT', { message: 'Wait.', details: { reason: 'payments_under_way' } })
      return 0
    },
  }
  const steps = [waiting, ...IDENTITY_ERASURE]
  await expect(eraseOrganization({ ...parts, steps }, organizationId)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await erasureOf(organizationId)).toMatchObject({ waits_for: 'payments_under_way', finished_at: null })
  expect(await email()).toMatch(/@/)
  await eraseRequested({ ...parts, steps })
  expect(await erasureOf(organizationId)).toMatchObject({ finished_at: null })
  isOpen = false
  await eraseRequested({ ...parts, steps })
  expect(await erasureOf(organizationId)).toMatchObject({ waits_for: null, finished_at: parts.clock.now() })
  expect(await email()).not.toMatch(/@/)
})

test.each([undefined, '55P03'])('an erasure that fails does not stop the others (SQLSTATE %s)', async (code) => {
  const [first, second] = [await requested(), await requested()]
  const failing: ErasureStep = {
    name: 'failing',
    async erase(_, { organizationId }) {
      if (organizationId === first.organizationId) throw Object.assign(new Error('broken'), { code })
      return 0
    },
  }
  expect(await eraseRequested({ ...parts, steps: [failing] })).toBe(1)
  expect((await erasureOf(second.organizationId)).finished_at).not.toBeNull()
  await eraseRequested({ ...parts, steps: [] })
})

test('an erasure that does not end ages until it does, and one that waits for payments does not', async () => {
  const age = () => erasureBacklogSeconds(parts.db, parts.clock.now())
  expect(await age()).toBe(0)
  const { organizationId } = await requested()
  let error: Error = new Failure('CONFLICT', { message: 'Wait.', details: { reason: 'payments_under_way' } })
  const steps: ErasureStep[] = [{ name: 'failing', erase: () => Promise.reject(error) }]
  await eraseRequested({ ...parts, steps })
  parts.clock.advance(7_200_000)
  expect(await age()).toBe(0)
  // What it waited for before does not hide that it fails now.
  error = new Error('broken')
  await eraseRequested({ ...parts, steps })
  expect(await erasureOf(organizationId)).toMatchObject({ waits_for: null, finished_at: null })
  expect(await age()).toBe(7_200)
  await eraseRequested({ ...parts, steps: [] })
  expect(await age()).toBe(0)
})

test('a process that stops ends after a batch, and the next one continues there', async () => {
  const { organizationId } = await requested()
  const steps = [counting('first', 5, 2), counting('second', 1)]
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  expect(await eraseRequested({ ...parts, steps }, { signal: stopping.signal, moved: stop })).toBe(0)
  expect(await erasureOf(organizationId)).toMatchObject({ erased: { first: 5 }, finished_at: null })
  expect(await eraseRequested({ ...parts, steps }, { signal: stopping.signal })).toBe(0)
  expect(await erasureOf(organizationId)).toMatchObject({ erased: { first: 5 } })
  expect(await eraseRequested({ ...parts, steps })).toBe(1)
  expect(await erasureOf(organizationId)).toMatchObject({ erased: { first: 7, second: 1 } })
})

test('an organization that is not deleted, whose erasure nobody requested, or that does not exist is not erased', async () => {
  const { owner } = await organization(parts)
  const erase = (id: number) => eraseOrganization({ ...parts, steps: IDENTITY_ERASURE }, id)
  await expect(erase(owner.organizationId)).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(erase(2 ** 40)).rejects.toMatchObject({ code: 'ORGANIZATION_NOT_FOUND' })
})

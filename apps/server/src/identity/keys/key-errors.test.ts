// Also tested in: surfaces/core/identity/keys/key-errors.test.ts (what is recorded of a request, who reads it).

import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { deleteOldRows } from '../../database/index.ts'
import { KEY_ERROR_GROUPS_MAX } from '../../kernel/index.ts'
import { generateKey } from './generate-key.ts'
import { KeyErrors, keyErrorRetention } from './key-errors.ts'
import { listKeyErrors } from './list-key-errors.ts'

const parts = useFixture(identityFixture)
const DAY = 86_400_000

async function failing() {
  const { owner } = await organization(parts)
  const { organizationId, userId: createdBy } = owner
  const { id: keyId } = await generateKey(parts, { organizationId, createdBy, name: 'Payroll' })
  const facts = { reason: null, issues: [], sent: {} }
  return { organizationId, keyId, method: 'GET', route: '/v1/a', code: 'CONFLICT', status: 409, requestId: 'r', facts }
}

test('processes add to one row, which keeps the latest request', async () => {
  const failed = await failing()
  const [one, other] = [new KeyErrors(parts), new KeyErrors(parts)]
  for (const requestId of ['r1', 'r2']) one.record({ ...failed, requestId })
  await one.flush()
  other.record({ ...failed, requestId: 'r3' })
  await Promise.all([one.flush(), other.flush()])
  const { items } = await listKeyErrors(parts, failed.organizationId)
  expect(items).toMatchObject([{ count: 3, requestId: 'r3', keyName: 'Payroll' }])
})

test('a batch holds a limited number of kinds, and skips a key that is gone', async () => {
  const failed = await failing()
  const errors = new KeyErrors(parts)
  errors.record({ ...failed, keyId: failed.keyId + 1_000_000 })
  for (let each = 0; each < KEY_ERROR_GROUPS_MAX + 5; each += 1) errors.record({ ...failed, route: `/v1/${each}` })
  await errors.flush()
  expect(await listKeyErrors(parts, failed.organizationId)).toMatchObject({ total: KEY_ERROR_GROUPS_MAX - 1 })
})

test('an entry is deleted 30 days after its latest request', async () => {
  const failed = await failing()
  const errors = new KeyErrors(parts)
  errors.record(failed)
  await errors.flush()
  const left = async (days: number) => {
    parts.clock.advance(days * DAY)
    await deleteOldRows(parts, [keyErrorRetention(parts)])
    return (await listKeyErrors(parts, failed.organizationId)).total
  }
  expect(await left(29)).toBe(1)
  expect(await left(2)).toBe(0)
})

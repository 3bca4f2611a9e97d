import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type IdentityFixture, identityFixture, organization } from '../../../testing/identity-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { appendAuditEntry, type NewAuditEntry } from './append-audit-entry.ts'
import { type AuditFilter, listAuditLog } from './list-audit-log.ts'

let parts: IdentityFixture
let organizationId: number
let userId: number
beforeAll(async () => {
  parts = await identityFixture()
})
afterAll(() => parts.close())
beforeEach(async () => {
  const { owner } = await organization(parts)
  ;({ organizationId, userId } = owner)
})

const entry = (overrides: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
  organizationId,
  actor: { type: 'user', id: userId },
  action: 'addMember',
  objectType: 'member',
  objectId: 12,
  from: '192.0.2.1',
  at: parts.clock.now(),
  details: { role: 'viewer' },
  ...overrides,
})
const write = (overrides: Partial<NewAuditEntry> = {}) =>
  inTransaction(parts.db, (tx) => appendAuditEntry(tx, entry(overrides)))

const ids = async (filter: AuditFilter) => {
  const { items, total } = await listAuditLog(parts, organizationId, filter, { limit: 50, offset: 0 })
  expect(total).toBe(items.length)
  return items.map(({ id }) => id)
}

test('filters by action, actor, object and time, alone and combined', async () => {
  const start = parts.clock.now()
  await write({ action: 'removeMember', objectId: 1 })
  await write({ actor: { type: 'key', id: 5 }, objectType: 'wallet', objectId: 1 })
  parts.clock.advance(1_000)
  await write({ actor: { type: 'system', id: null }, objectType: 'operation' })
  expect(await ids({ action: 'removeMember' })).toEqual([1])
  expect(await ids({ actor: { type: 'key' } })).toEqual([2])
  expect(await ids({ actor: { type: 'user', id: userId } })).toEqual([1])
  expect(await ids({ actor: { type: 'user', id: 0 } })).toEqual([])
  expect(await ids({ object: { type: 'wallet' } })).toEqual([2])
  expect(await ids({ object: { type: 'member', id: 1 } })).toEqual([1])
  expect(await ids({ since: parts.clock.now() })).toEqual([3])
  expect(await ids({ until: parts.clock.now() })).toEqual([2, 1])
  expect(await ids({ since: start, actor: { type: 'key', id: 5 }, action: 'addMember' })).toEqual([2])
})

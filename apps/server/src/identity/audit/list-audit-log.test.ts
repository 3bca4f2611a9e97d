import { expect, test } from 'vitest'
import { useAuditLog } from '../../../testing/identity/use-audit-log.ts'
import { type AuditFilter, listAuditLog } from './list-audit-log.ts'

const log = useAuditLog()

const ids = async (filter: AuditFilter) => {
  const { items, total } = await listAuditLog(log.parts, log.organizationId, filter, { limit: 50, offset: 0 })
  expect(total).toBe(items.length)
  return items.map(({ id }) => id)
}

test('filters by action, actor, object and time, alone and combined', async () => {
  const start = log.parts.clock.now()
  await log.write({ action: 'removeMember', objectId: 1 })
  await log.write({ actor: { type: 'key', id: 5 }, objectType: 'wallet', objectId: 1 })
  log.parts.clock.advance(1_000)
  await log.write({ actor: { type: 'system', id: null }, objectType: 'operation' })
  expect(await ids({ action: 'removeMember' })).toEqual([1])
  expect(await ids({ actor: { type: 'key' } })).toEqual([2])
  expect(await ids({ actor: { type: 'user', id: log.userId } })).toEqual([1])
  expect(await ids({ actor: { type: 'user', id: 0 } })).toEqual([])
  expect(await ids({ object: { type: 'wallet' } })).toEqual([2])
  expect(await ids({ object: { type: 'member', id: 1 } })).toEqual([1])
  expect(await ids({ since: log.parts.clock.now() })).toEqual([3])
  expect(await ids({ until: log.parts.clock.now() })).toEqual([2, 1])
  expect(await ids({ since: start, actor: { type: 'key', id: 5 }, action: 'addMember' })).toEqual([2])
})

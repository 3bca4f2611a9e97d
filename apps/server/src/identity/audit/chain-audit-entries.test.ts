// Also tested in: identity/audit/list-audit-log.test.ts (a log is chained before it is read).

import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { breakRows } from '../../../testing/database/break-rows.ts'
import { organization } from '../../../testing/identity/identity-fixture.ts'
import { useAuditLog } from '../../../testing/identity/use-audit-log.ts'
import { inTransaction } from '../../database/index.ts'
import type { NewAuditEntry } from './append-audit-entry.ts'
import { chainAuditEntries, chainAuditEntriesOf } from './chain-audit-entries.ts'
import { listAuditLog } from './list-audit-log.ts'
import { queueAuditEntry } from './queue-audit-entry.ts'
import { verifyAuditLogs } from './verify-audit-log.ts'

const log = useAuditLog()
const queue = (overrides: Partial<NewAuditEntry> = {}) =>
  inTransaction(log.parts.db, (tx) => queueAuditEntry(tx, log.entry(overrides)))
const objects = async () => {
  const { items } = await listAuditLog(log.parts, log.organizationId, {}, { limit: 1_000, offset: 0 })
  return items.map(({ objectId }) => objectId).reverse()
}

async function verdict(organizationId = log.organizationId) {
  for await (const found of verifyAuditLogs(log.parts.db)) if (found.organizationId === organizationId) return found
  throw new Error('the organization was not verified')
}

test('waiting entries follow those that were chained at once, in their order, each once', async () => {
  await log.write({ objectId: 1 })
  for (const objectId of [2, 3]) await queue({ objectId })
  expect(await chainAuditEntries(log.parts.db)).toBe(2)
  await log.write({ objectId: 4 })
  expect(await chainAuditEntries(log.parts.db)).toBe(0)
  expect(await objects()).toEqual([1, 2, 3, 4])
  expect(await verdict()).toMatchObject({ entries: 4, broken: undefined })
})

test('a log that is read shows entries that no worker has chained yet', async () => {
  await queue({ objectId: 7 })
  expect(await objects()).toEqual([7])
  expect(await verdict()).toMatchObject({ entries: 1, broken: undefined })
})

test('an entry whose transaction commits late is chained after those that committed before', async () => {
  await inTransaction(log.parts.db, async (tx) => {
    await queueAuditEntry(tx, log.entry({ objectId: 1 }))
    await queue({ objectId: 2 })
    await chainAuditEntries(log.parts.db)
  })
  await chainAuditEntries(log.parts.db)
  expect(await objects()).toEqual([2, 1])
  expect(await verdict()).toMatchObject({ entries: 2, broken: undefined })
})

test('concurrent writers on core and v1 and two workers leave whole chains without gaps', async () => {
  const other = (await organization(log.parts)).owner.organizationId
  const work = Array.from({ length: 60 }, (_, at) => {
    if (at % 6 === 0) return chainAuditEntries(log.parts.db)
    const organizationId = at % 6 === 1 ? other : log.organizationId
    return at % 2 === 0 ? log.write({ organizationId, objectId: at }) : queue({ organizationId, objectId: at })
  })
  await Promise.all(work)
  await Promise.all([chainAuditEntries(log.parts.db), chainAuditEntries(log.parts.db)])
  expect(await verdict()).toMatchObject({ entries: 40, broken: undefined })
  expect(await verdict(other)).toMatchObject({ entries: 10, broken: undefined })
})

test('more entries than a batch are chained to the last', async () => {
  await inTransaction(log.parts.db, async (tx) => {
    for (let objectId = 1; objectId <= 1_201; objectId += 1) await queueAuditEntry(tx, log.entry({ objectId }))
  })
  expect(await chainAuditEntries(log.parts.db)).toBe(1_201)
  expect(await verdict()).toMatchObject({ entries: 1_201, broken: undefined })
})

test('an organization whose head stays locked does not stop those after it', async () => {
  const locked = log.organizationId
  const other = (await organization(log.parts)).owner.organizationId
  await queue({ objectId: 1 })
  await queue({ organizationId: other, objectId: 2 })
  const when = `new.organization_id = ${locked}`
  const release = await breakRows(log.parts.db, { table: 'audit_heads', when, sqlState: '55P03' })
  await expect(chainAuditEntries(log.parts.db)).rejects.toThrow(`cannot grow: ${locked}`)
  expect(await verdict(other)).toMatchObject({ entries: 1, broken: undefined })
  await release()
  expect(await chainAuditEntries(log.parts.db)).toBe(1)
})

test('an organization whose chain is damaged does not stop the others', async () => {
  await queue({ objectId: 1 })
  const damaged = log.organizationId
  const healthy = (await organization(log.parts)).owner.organizationId
  await queue({ organizationId: healthy, objectId: 2 })
  await log.parts.db
    .insertInto('audit_log')
    .values({
      ...{ organization_id: damaged, id: 1, at: log.parts.clock.now(), actor_type: 'system', action: 'forged' },
      ...{ object_type: 'member', previous_hash: Buffer.alloc(32), hash: Buffer.alloc(32) },
    })
    .execute()
  await expect(chainAuditEntries(log.parts.db)).rejects.toThrow(`cannot grow: ${damaged}`)
  expect(await verdict(healthy)).toMatchObject({ entries: 1, broken: undefined })
  const { organization_id } = await log.parts.db
    .selectFrom('unchained_audit_entries')
    .select('organization_id')
    .executeTakeFirstOrThrow()
  expect(organization_id).toBe(damaged)
})

test('what the owner of the database puts into the queue is chained like an entry of the service, as the page says', async () => {
  const { db } = log.parts
  await log.writeMany(1)
  await sql`
    insert into unchained_audit_entries (organization_id, at, actor_type, actor_id, action, object_type, object_id)
    values (${log.organizationId}, now(), 'user', ${log.userId}, 'approveOperation', 'operation', 9)`.execute(db)
  await chainAuditEntriesOf(db, log.organizationId)
  expect(await verdict()).toMatchObject({ entries: 2, broken: undefined })
  const page = readFileSync(new URL('../../../../../docs/audit-log.md', import.meta.url), 'utf8')
  expect(page).toContain('**Entries of what never happened are not found.**')
})

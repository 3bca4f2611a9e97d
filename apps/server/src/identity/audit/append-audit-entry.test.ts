// Also tested in: surfaces/core/identity/audit/audit-log.test.ts (which requests write which entries),
// identity/audit/verify-audit-log.test.ts (changes to the log are detected).

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { organization } from '../../../testing/identity/identity-fixture.ts'
import { useAuditLog } from '../../../testing/identity/use-audit-log.ts'
import { inTransaction } from '../../database/index.ts'
import { appendAuditEntry } from './append-audit-entry.ts'
import { listAuditLog } from './list-audit-log.ts'
import { type AuditVerification, verifyAuditLogs } from './verify-audit-log.ts'

const log = useAuditLog()

async function verdict(): Promise<AuditVerification> {
  for await (const found of verifyAuditLogs(log.parts.db, []))
    if (found.organizationId === log.organizationId) return found
  throw new Error('the organization was not verified')
}

test('entries are numbered and chained, and a complete chain reports its head', async () => {
  expect(await verdict()).toMatchObject({ entries: 0, hash: '0'.repeat(64) })
  await log.writeMany(3)
  await log.write({ actor: { type: 'system', id: null }, from: null, objectId: null, details: undefined })
  const { items, total } = await listAuditLog(log.parts, log.organizationId, {}, { limit: 10, offset: 0 })
  expect(total).toBe(4)
  expect(items.map(({ id }) => id)).toEqual([4, 3, 2, 1])
  expect(items.slice(0, 3).map(({ previousHash }) => previousHash)).toEqual(items.slice(1).map(({ hash }) => hash))
  expect(await verdict()).toMatchObject({ entries: 4, hash: items[0]?.hash.toString('hex'), broken: undefined })
})

test('an entry exists if and only if its change does', async () => {
  const failed = inTransaction(log.parts.db, async (tx) => {
    await appendAuditEntry(tx, log.entry())
    throw new Error('the effect did not happen')
  })
  await expect(failed).rejects.toThrow('did not happen')
  expect(await verdict()).toMatchObject({ entries: 0 })
})

test('forty concurrent writers leave one chain without gaps, separate from another organization’s', async () => {
  const other = (await organization(log.parts)).owner.organizationId
  await Promise.all(
    Array.from({ length: 40 }, (_, at) => log.write(at % 4 === 0 ? { organizationId: other } : { objectId: at + 1 })),
  )
  expect(await verdict()).toMatchObject({ entries: 30, broken: undefined })
  const theirs = await listAuditLog(log.parts, other, {}, { limit: 1, offset: 0 })
  expect(theirs.total).toBe(10)
})

test('the log and its heads only grow: no update, no removal, no truncation, no jump of the head', async () => {
  await log.writeMany(2)
  const run = (statement: string) => sql.raw(statement).execute(log.parts.db)
  for (const statement of [
    "update audit_log set action = 'nothing'",
    'delete from audit_log',
    'truncate audit_log',
    'delete from audit_heads',
    'truncate audit_heads cascade',
  ]) {
    await expect(run(statement), statement).rejects.toThrow('only grows')
  }
  await expect(run('update audit_heads set entries = entries - 1')).rejects.toThrow('moves on by one')
  await expect(run('update audit_heads set entries = entries + 2')).rejects.toThrow('moves on by one')
  expect(await verdict()).toMatchObject({ entries: 2, broken: undefined })
})

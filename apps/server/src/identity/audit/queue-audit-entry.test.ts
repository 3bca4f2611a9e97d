// Also tested in: identity/audit/chain-audit-entries.test.ts (entries get their place in the chain),
// main/start/attribution.test.ts (which requests of v1 and agents write which entries).

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useAuditLog } from '../../../testing/identity/use-audit-log.ts'
import { inTransaction } from '../../database/index.ts'
import { queueAuditEntry, queueAuditEntrySql } from './queue-audit-entry.ts'

const log = useAuditLog()
const waiting = () =>
  log.parts.db
    .selectFrom('unchained_audit_entries')
    .selectAll()
    .where('organization_id', '=', log.organizationId)
    .orderBy('id')
    .execute()

test('an entry waits if and only if its change was committed', async () => {
  const failed = inTransaction(log.parts.db, async (tx) => {
    await queueAuditEntry(tx, log.entry())
    throw new Error('the effect did not happen')
  })
  await expect(failed).rejects.toThrow('did not happen')
  expect(await waiting()).toEqual([])
  await inTransaction(log.parts.db, (tx) => queueAuditEntry(tx, log.entry()))
  expect(await waiting()).toMatchObject([{ action: 'addMember', object_id: 12, details: '{"role":"viewer"}' }])
})

test('writers of one organization do not wait for each other, nor for the holder of the head', async () => {
  await inTransaction(log.parts.db, async (first) => {
    await sql`select from audit_heads where organization_id = ${log.organizationId} for update`.execute(first)
    await queueAuditEntry(first, log.entry({ objectId: 1 }))
    await inTransaction(log.parts.db, (second) => queueAuditEntry(second, log.entry({ objectId: 2 })))
    expect((await waiting()).map(({ object_id }) => object_id)).toEqual([2])
  })
})

test('as part of a statement it inserts one entry per effect, and none without an effect or an entry', async () => {
  const run = (count: number, entry = log.entry()) =>
    sql`with changed as (select n as id from generate_series(1, ${count}::int) n)
      ${queueAuditEntrySql(entry, { from: sql`from changed`, id: sql`changed.id` })}`.execute(log.parts.db)
  await run(0)
  await queueAuditEntrySql(undefined).execute(log.parts.db)
  expect(await waiting()).toEqual([])
  await run(2)
  expect((await waiting()).map(({ object_id }) => object_id)).toEqual([1, 2])
})

test('a waiting entry cannot be changed', async () => {
  await inTransaction(log.parts.db, (tx) => queueAuditEntry(tx, log.entry()))
  await expect(sql`update unchained_audit_entries set action = 'nothing'`.execute(log.parts.db)).rejects.toThrow(
    'only grows',
  )
})

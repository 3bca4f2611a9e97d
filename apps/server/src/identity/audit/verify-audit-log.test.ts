import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useAuditLog } from '../../../testing/identity/use-audit-log.ts'
import { inTransaction } from '../../database/index.ts'
import { type AuditCheckpoint, type AuditVerification, verifyAuditLogs } from './verify-audit-log.ts'

const log = useAuditLog()

async function verdict(checkpoints: readonly AuditCheckpoint[] = []): Promise<AuditVerification> {
  for await (const found of verifyAuditLogs(log.parts.db, checkpoints))
    if (found.organizationId === log.organizationId) return found
  throw new Error('the organization was not verified')
}

/** What someone with all rights on the database can do. */
async function tamper(statement: string): Promise<void> {
  await inTransaction(log.parts.db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql.raw(statement).execute(tx)
  })
}

describe('tampering with all rights on the database is detected', () => {
  const whole = 'organization_id = $'
  test.each([
    ['an action changed', `update audit_log set action = 'x' where id = 3 and ${whole}`, 'entry 3: its content'],
    ['an actor changed', `update audit_log set actor_id = 999 where id = 3 and ${whole}`, 'entry 3: its content'],
    ['an actor of another kind', `update audit_log set actor_type = 'key' where id = 3 and ${whole}`, 'entry 3'],
    ['an object changed', `update audit_log set object_id = null where id = 3 and ${whole}`, 'entry 3: its content'],
    ['a kind changed', `update audit_log set object_type = 'key' where id = 3 and ${whole}`, 'entry 3: its content'],
    ['an address changed', `update audit_log set ip_address = '::1' where id = 3 and ${whole}`, 'entry 3: its content'],
    ['a time moved', `update audit_log set at = at + '1 ms' where id = 3 and ${whole}`, 'entry 3: its content'],
    ['details changed', `update audit_log set details = '{}' where id = 3 and ${whole}`, 'entry 3: its content'],
    ['a hash changed', `update audit_log set hash = previous_hash where id = 3 and ${whole}`, 'entry 3: its content'],
    [
      'an entry cut off from the one before',
      `update audit_log set previous_hash = hash where id = 3 and ${whole}`,
      'entry 3: it does not follow',
    ],
    ['an entry removed', `delete from audit_log where id = 3 and ${whole}`, 'entry 3: it is missing'],
    ['the first entry removed', `delete from audit_log where id = 1 and ${whole}`, 'entry 1: it is missing'],
    ['the last entry removed', `delete from audit_log where id = 5 and ${whole}`, 'entry 5: it is missing, and 5 '],
    ['the last entries removed', `delete from audit_log where id > 3 and ${whole}`, 'entry 4: it is missing'],
    ['all entries removed', `delete from audit_log where ${whole}`, 'entry 1: it is missing'],
    [
      'two entries swapped',
      `update audit_log set id = case id when 2 then 1003 else 1002 end where id in (2, 3) and ${whole};
       update audit_log set id = id - 1000 where id > 1000 and ${whole}`,
      'entry 2: it does not follow',
    ],
    ['the head removed', `delete from audit_heads where ${whole}`, 'the head of the log is missing'],
    ['the head set back', `update audit_heads set entries = 4 where ${whole}`, 'entry 5: the head'],
    ['the head rewritten', `update audit_heads set hash = sha256('') where ${whole}`, 'entry 5: the head'],
  ])('%s', async (_, statement, broken) => {
    await log.writeMany(5)
    await tamper(statement.replaceAll('$', String(log.organizationId)))
    expect((await verdict()).broken).toContain(broken)
  })

  test('removing all entries together with what the head knows is detected', async () => {
    await log.writeMany(5)
    await tamper(`delete from audit_log where organization_id = ${log.organizationId};
      update audit_heads set entries = 0, hash = decode(repeat('00', 32), 'hex')
        where organization_id = ${log.organizationId}`)
    expect((await verdict()).broken).toBe('it has no entry, not even of its registration')
  })

  test('cutting off one entry together with its head is detected by a hash recorded elsewhere', async () => {
    await log.writeMany(4)
    const { organizationId } = log
    const pin = { organizationId, entryId: 4, hash: (await verdict()).hash }
    await tamper(`delete from audit_log where id = 4 and organization_id = ${organizationId};
      update audit_heads set entries = 3, hash = (select hash from audit_log l
        where l.organization_id = ${organizationId} and l.id = 3) where organization_id = ${organizationId}`)
    expect((await verdict()).broken).toBeUndefined()
    expect((await verdict([pin])).broken).toBe('the log ends at entry 3, but entry 4 is known elsewhere')
  })

  test('cutting off the end of a log together with its head is detected by a hash recorded elsewhere', async () => {
    await log.writeMany(4)
    const { hash } = await verdict()
    await log.write()
    const pin = { organizationId: log.organizationId, entryId: 4, hash }
    expect((await verdict([pin])).broken).toBeUndefined()
    await tamper(`delete from audit_log where id > 2 and organization_id = ${log.organizationId};
      update audit_heads set entries = 2, hash = (select hash from audit_log l
        where l.organization_id = ${log.organizationId} and l.id = 2) where organization_id = ${log.organizationId}`)
    expect((await verdict()).broken).toBeUndefined()
    expect((await verdict([pin])).broken).toContain('entry 4 is known elsewhere')
    // The same goes for a log that was rewritten to the same length.
    await log.writeMany(2)
    expect((await verdict([pin])).broken).toBe('entry 4: its hash is not the one that is known elsewhere')
  })
})

test('a log longer than a page is read to its end', async () => {
  await sql`
    with recursive chain as (
      select 0 as id, decode(repeat('00', 32), 'hex') as previous, decode(repeat('00', 32), 'hex') as hash
      union all
      select id + 1, hash, sha256(convert_to(
        format('["weir-audit-1",%s,%s,"2026-01-01T00:00:00.000Z","system",null,"tick","clock",%s,null,null,"%s"]',
          ${sql.lit(log.organizationId)}, id + 1, id + 1, encode(hash, 'hex')), 'utf8'))
      from chain where id < 2500
    ), written as (
      insert into audit_log (organization_id, id, at, actor_type, action, object_type, object_id, previous_hash, hash)
      select ${sql.lit(log.organizationId)}, id, '2026-01-01T00:00:00Z', 'system', 'tick', 'clock', id, previous, hash
      from chain where id > 0
    ) select`.execute(log.parts.db)
  await tamper(`update audit_heads set entries = 2500, hash = (select hash from audit_log
    where organization_id = ${log.organizationId} and id = 2500) where organization_id = ${log.organizationId}`)
  expect(await verdict()).toMatchObject({ entries: 2_500, broken: undefined })
})

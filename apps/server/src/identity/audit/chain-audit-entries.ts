import { sql } from 'kysely'
import { type Database, inTransaction, isInfrastructureFailure, isTimeout, type Tx } from '../../database/index.ts'
import { AUDIT_CHAINING_BATCH, SWEEP_TIMEOUTS_MAX } from '../../kernel/index.ts'
import { type AuditRow, entryFrom, hashAuditEntry } from './audit-entry.ts'
import { lockAuditHead } from './lock-audit-head.ts'

/**
 * Gives waiting entries their place in the chains of their organizations, in the order in which they were stored, and
 * returns how many. An entry waits until its transaction has committed; one that commits late is chained later. Moving
 * an entry is one transaction per organization, so none is lost, chained twice or seen in both places. An organization
 * whose chain is damaged, or whose head somebody keeps locked, does not stop the others: its entries wait, and an
 * AggregateError names it at the end. Throws the last of several time-outs: then the rest waits for the next round.
 */
export async function chainAuditEntries(db: Database, signal?: AbortSignal): Promise<number> {
  let chained = 0
  const failures = new Map<number, unknown>()
  for (;;) {
    const waiting = await db
      .selectFrom('unchained_audit_entries')
      .select('organization_id')
      .distinct()
      .where('organization_id', '<>', sql<number>`all (${[...failures.keys()]}::bigint[])`)
      .limit(AUDIT_CHAINING_BATCH)
      .execute()
    if (waiting.length === 0 || signal?.aborted) break
    for (const { organization_id } of waiting) {
      if (signal?.aborted) break
      try {
        chained += await inTransaction(db, (tx) => chainOf(tx, organization_id))
      } catch (error) {
        if (isInfrastructureFailure(error)) throw error
        failures.set(organization_id, error)
        if ([...failures.values()].filter(isTimeout).length >= SWEEP_TIMEOUTS_MAX) throw error
      }
    }
  }
  if (failures.size === 0) return chained
  const organizations = [...failures.keys()].join(', ')
  throw new AggregateError(failures.values(), `the audit log of these organizations cannot grow: ${organizations}`)
}

/** The same for one organization, before its log is read. */
export async function chainAuditEntriesOf(db: Database, organizationId: number): Promise<void> {
  const waiting = await db
    .selectFrom('unchained_audit_entries')
    .select('id')
    .where('organization_id', '=', organizationId)
    .limit(1)
    .execute()
  if (waiting.length > 0) await inTransaction(db, (tx) => chainOf(tx, organizationId))
}

/** The head is locked first, so that two processes never chain the same entries. */
async function chainOf(tx: Tx, organizationId: number): Promise<number> {
  const head = await lockAuditHead(tx, organizationId)
  const { rows } = await sql<AuditRow & { readonly id: number }>`
    with taken as (
      delete from unchained_audit_entries where organization_id = ${organizationId} and id in (
        select id from unchained_audit_entries where organization_id = ${organizationId}
        order by id limit ${AUDIT_CHAINING_BATCH}
      ) returning *
    ) select * from taken order by id
  `.execute(tx)
  if (rows.length === 0) return 0
  let { entries: id, hash: previousHash } = head
  const values = rows.map((row) => {
    id += 1
    const chained = { ...entryFrom(row), id, previousHash }
    const hash = hashAuditEntry(chained)
    const { id: _, ...stored } = row
    const value = { ...stored, id, previous_hash: previousHash, hash }
    previousHash = hash
    return value
  })
  await tx.insertInto('audit_log').values(values).execute()
  await tx
    .updateTable('audit_heads')
    .set({ entries: id, hash: previousHash })
    .where('organization_id', '=', organizationId)
    .execute()
  return rows.length
}

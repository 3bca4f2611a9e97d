import type { Database, Tx } from '../../database/index.ts'
import { AUDIT_VERIFICATION_BATCH } from '../../kernel/index.ts'
import { type ChainedAuditEntry, entryFrom, GENESIS_HASH, hashAuditEntry } from './audit-entry.ts'

/** The hash of an entry, recorded outside this database. */
export interface AuditCheckpoint {
  readonly organizationId: number
  readonly entryId: number
  readonly hash: string
}

/** The result of verifying the audit log of one organization. */
export interface AuditVerification {
  readonly organizationId: number
  /** The number of valid entries, from the first one. */
  readonly entries: number
  /** Hex hash of the last valid entry: recording it elsewhere proves later that nothing before it was changed. */
  readonly hash: string
  /** The first problem; `undefined` when the chain is complete. */
  readonly broken: string | undefined
}

/**
 * Verifies the audit log of every organization in turn, from the first entry: each entry against its content and the
 * previous one, then the last entry against the head, and all of them against the checkpoints. Each log is read as of
 * one moment, so it may grow meanwhile.
 */
export async function* verifyAuditLogs(
  db: Database,
  checkpoints: readonly AuditCheckpoint[] = [],
): AsyncGenerator<AuditVerification> {
  const organizations = await db
    .selectFrom('organizations')
    .select('id')
    .union(db.selectFrom('audit_log').select('organization_id as id'))
    .union(db.selectFrom('audit_heads').select('organization_id as id'))
    .orderBy('id')
    .execute()
  const existing = new Set(organizations.map(({ id }) => id))
  const unknown = checkpoints.filter(({ organizationId }) => !existing.has(organizationId))
  for (const { organizationId } of unknown)
    yield {
      organizationId,
      entries: 0,
      hash: GENESIS_HASH.toString('hex'),
      broken: 'the organization does not exist here',
    }
  for (const { id } of organizations) {
    const ownCheckpoints = checkpoints.filter(({ organizationId }) => organizationId === id)
    yield await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((tx) => verifyOne(tx, id, ownCheckpoints))
  }
}

async function verifyOne(
  tx: Tx,
  organizationId: number,
  checkpoints: readonly AuditCheckpoint[],
): Promise<AuditVerification> {
  let entries = 0
  let hash: Buffer = GENESIS_HASH
  const known = Map.groupBy(checkpoints, ({ entryId }) => entryId)
  const result = (broken?: string): AuditVerification => ({
    organizationId,
    entries,
    hash: hash.toString('hex'),
    broken,
  })
  for (let page = await readPage(tx, organizationId, 0); page.length > 0; ) {
    for (const { written, ...entry } of page) {
      const problem =
        verifyEntry(entry, written, entries, hash) ?? verifyCheckpoints(entry.id, written, known.get(entry.id))
      if (problem !== undefined) return result(problem)
      entries += 1
      hash = written
    }
    page = await readPage(tx, organizationId, entries)
  }
  const missing = checkpoints.find(({ entryId }) => entryId > entries)
  if (missing) return result(`the log ends at entry ${entries}, but entry ${missing.entryId} is known elsewhere`)
  return result(await verifyHead(tx, organizationId, entries, hash))
}

function verifyEntry(entry: ChainedAuditEntry, written: Buffer, before: number, previous: Buffer): string | undefined {
  if (entry.id !== before + 1) return `entry ${before + 1}: it is missing`
  if (!entry.previousHash.equals(previous)) return `entry ${entry.id}: it does not follow the entry before it`
  if (!hashAuditEntry(entry).equals(written)) return `entry ${entry.id}: its content is not what was written`
  return undefined
}

function verifyCheckpoints(
  id: number,
  written: Buffer,
  checkpoints: readonly AuditCheckpoint[] = [],
): string | undefined {
  const differs = checkpoints.some(({ hash }) => hash.toLowerCase() !== written.toString('hex'))
  return differs ? `entry ${id}: its hash is not the one that is known elsewhere` : undefined
}

/** A log that was cut off below its head ends too early; a log without a head has lost it. */
async function verifyHead(tx: Tx, organizationId: number, entries: number, hash: Buffer): Promise<string | undefined> {
  const head = await tx
    .selectFrom('audit_heads')
    .select(['entries', 'hash'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  if (head === undefined) return 'the head of the log is missing'
  if (head.entries > entries) return `entry ${entries + 1}: it is missing, and ${head.entries} entries were written`
  if (head.entries < entries) return `entry ${head.entries + 1}: the head of the log does not know it`
  if (!head.hash.equals(hash)) return `entry ${entries}: the head of the log knows another`
  // Registration writes an entry in its own transaction, and the demo organization gets one.
  return entries === 0 ? 'it has no entry, not even of its registration' : undefined
}

async function readPage(tx: Tx, organizationId: number, after: number) {
  const rows = await tx
    .selectFrom('audit_log')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(AUDIT_VERIFICATION_BATCH)
    .execute()
  return rows.map((row) => ({
    ...entryFrom(row),
    id: row.id,
    previousHash: row.previous_hash,
    written: row.hash,
  }))
}

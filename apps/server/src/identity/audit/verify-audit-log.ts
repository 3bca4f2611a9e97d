import type { Database, Tx } from '../../database/index.ts'
import { type ChainedAuditEntry, GENESIS_HASH, hashAuditEntry } from './audit-entry.ts'

/** An entry's hash that somebody wrote down elsewhere. */
export interface AuditCheckpoint {
  readonly organizationId: number
  readonly entryId: number
  readonly hash: string
}

/** What the audit log of one organization is worth. */
export interface AuditVerification {
  readonly organizationId: number
  /** How many entries hold together, from the first on. */
  readonly entries: number
  /** Hex hash of the last of them: whoever writes it down elsewhere can prove that nothing before it was changed. */
  readonly hash: string
  /** The first thing that is wrong; `undefined` when the chain is whole. */
  readonly broken: string | undefined
}

/** Entries are read in pages, so that a log of any length takes little memory. */
const PAGE = 1_000

/**
 * Checks the audit log of every organization, one after the other, by the first: entry after entry, each against its
 * own content and the one before it, then the last against the head, and the pins of others. Each log is read as of one
 * moment, so that it may grow meanwhile.
 */
export async function* verifyAuditLogs(
  db: Database,
  pins: readonly AuditCheckpoint[] = [],
): AsyncGenerator<AuditVerification> {
  const organizations = await db
    .selectFrom('organizations')
    .select('id')
    .union(db.selectFrom('audit_log').select('organization_id as id'))
    .union(db.selectFrom('audit_heads').select('organization_id as id'))
    .orderBy('id')
    .execute()
  const known = new Set(organizations.map(({ id }) => id))
  const unknown = pins.filter(({ organizationId }) => !known.has(organizationId))
  for (const { organizationId } of unknown)
    yield {
      organizationId,
      entries: 0,
      hash: GENESIS_HASH.toString('hex'),
      broken: 'the organization is not known here',
    }
  for (const { id } of organizations) {
    const own = pins.filter(({ organizationId }) => organizationId === id)
    yield await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((tx) => verifyOne(tx, id, own))
  }
}

async function verifyOne(tx: Tx, organizationId: number, pins: readonly AuditCheckpoint[]): Promise<AuditVerification> {
  let entries = 0
  let hash: Buffer = GENESIS_HASH
  const verdict = (broken?: string): AuditVerification => ({
    organizationId,
    entries,
    hash: hash.toString('hex'),
    broken,
  })
  for (let page = await readPage(tx, organizationId, 0); page.length > 0; ) {
    for (const { written, ...entry } of page) {
      const wrong = verifyEntry(entry, written, entries, hash) ?? verifyCheckpoints(entry.id, written, pins)
      if (wrong !== undefined) return verdict(wrong)
      entries += 1
      hash = written
    }
    page = await readPage(tx, organizationId, entries)
  }
  const lost = pins.find(({ entryId }) => entryId > entries)
  if (lost) return verdict(`the log ends at entry ${entries}, but entry ${lost.entryId} is known elsewhere`)
  return verdict(await verifyHead(tx, organizationId, entries, hash))
}

function verifyEntry(entry: ChainedAuditEntry, written: Buffer, before: number, previous: Buffer): string | undefined {
  if (entry.id !== before + 1) return `entry ${before + 1}: it is missing`
  if (!entry.previousHash.equals(previous)) return `entry ${entry.id}: it does not follow the entry before it`
  if (!hashAuditEntry(entry).equals(written)) return `entry ${entry.id}: its content is not what was written`
  return undefined
}

function verifyCheckpoints(id: number, written: Buffer, pins: readonly AuditCheckpoint[]): string | undefined {
  const differs = pins.some((pin) => pin.entryId === id && pin.hash.toLowerCase() !== written.toString('hex'))
  return differs ? `entry ${id}: its hash is not the one that is known elsewhere` : undefined
}

/** A log whose end was cut off, with the head left as it was, ends too early; one without a head lost it. */
async function verifyHead(tx: Tx, organizationId: number, entries: number, hash: Buffer): Promise<string | undefined> {
  const head = await tx
    .selectFrom('audit_heads')
    .select(['entries', 'hash'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  if (head === undefined) return 'the head of the log is missing'
  if (head.entries > entries) return `entry ${entries + 1}: it is missing, and ${head.entries} entries were written`
  if (head.entries < entries) return `entry ${head.entries + 1}: the head of the log does not know it`
  return head.hash.equals(hash) ? undefined : `entry ${entries}: the head of the log knows another`
}

async function readPage(tx: Tx, organizationId: number, after: number) {
  const rows = await tx
    .selectFrom('audit_log')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(PAGE)
    .execute()
  return rows.map((row) => ({
    organizationId,
    id: row.id,
    at: row.at,
    actor: { type: row.actor_type, id: row.actor_id },
    action: row.action,
    objectType: row.object_type,
    objectId: row.object_id,
    from: row.ip_address,
    details: row.details,
    previousHash: row.previous_hash,
    written: row.hash,
  }))
}

import type { Schema } from '../../api/types.ts'
import { sha256 } from './sha256.ts'

type Entry = Schema<'AuditEntry'>

/** What of some entries was recomputed in this browser, and what that says. */
export interface Proof {
  /** How many entries were hashed. */
  readonly entries: number
  /** The newest and the oldest of them; undefined without any. */
  readonly newest: Entry | undefined
  readonly oldest: Entry | undefined
  /** Ids of entries whose content is not what their hash covers. */
  readonly altered: readonly number[]
  /** Ids of entries whose hash of the entry before them differs from its own, where both are there. */
  readonly unlinked: readonly number[]
  /** Whether no entry is missing between the newest and the oldest. */
  readonly isWhole: boolean
}

const FIRST_PREVIOUS = '0'.repeat(64)

/** The hash of an entry, as docs/audit-log.md computes it: over everything but the actor's current name. */
export function hashOfEntry(organizationId: number, entry: Entry): Promise<string> {
  const { id, at, actor, action, object, from, details, previousHash } = entry
  const covered = [
    'weir-audit-1',
    organizationId,
    id,
    at,
    actor.type,
    actor.id,
    action,
    object.type,
    object.id,
    from,
    details && JSON.stringify(details),
    previousHash,
  ]
  return sha256(JSON.stringify(covered))
}

/** Recomputes entries, which may have gaps, newest first. */
export async function prove(organizationId: number, entries: readonly Entry[]): Promise<Proof> {
  const hashes = await Promise.all(entries.map((entry) => hashOfEntry(organizationId, entry)))
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const previousOf = ({ id }: Entry) => (id === 1 ? FIRST_PREVIOUS : byId.get(id - 1)?.hash)
  const [newest] = entries
  const oldest = entries.at(-1)
  return {
    entries: entries.length,
    newest,
    oldest,
    altered: entries.filter(({ hash }, at) => hash !== hashes[at]).map(({ id }) => id),
    unlinked: entries
      .filter((entry) => (previousOf(entry) ?? entry.previousHash) !== entry.previousHash)
      .map(({ id }) => id),
    isWhole: newest !== undefined && newest.id - oldest!.id + 1 === byId.size,
  }
}

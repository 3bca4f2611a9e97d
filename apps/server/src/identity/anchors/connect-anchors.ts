import type { AuditCheckpoint } from '../audit/verify-audit-log.ts'
import { type AuditAnchor, anchorText, digestOf, NO_ANCHOR } from './anchor.ts'
import type { ReadAnchor } from './read-anchor-lines.ts'
import type { StoredAnchors } from './stored-anchors.ts'

/** What anchors from one or several places prove together. */
export interface ConnectedAnchors {
  /** How many follow each other. */
  readonly anchors: number
  /** Entries that the audit logs must still contain. */
  readonly checkpoints: readonly AuditCheckpoint[]
  /** Anchors between two others that no place has. */
  readonly missing: readonly MissingAnchors[]
  /**
   * Anchors of a past to which the database did not return: it went back to before the first of each list. What they
   * anchored was lost, or somebody removed it. Not in `checkpoints`.
   */
  readonly lost: readonly (readonly ReadAnchor[])[]
}

export interface MissingAnchors {
  /** The ids of their neighbours; 0 before the first. */
  readonly after: number
  readonly before: number
  /** The database has them, as the digest in the one after them confirms: they are in `checkpoints`. */
  readonly stored: boolean
}

/**
 * Follows anchors from the newest to the oldest, each by the digest that it names. Anchors that are missing in between
 * are taken from the database if they have that digest. A beginning may be missing: checkpoints are missing then, but none
 * is wrong. Throws if an anchor does not follow the one before it.
 */
export async function connectAnchors(
  places: readonly { readonly anchors: readonly ReadAnchor[] }[],
  stored: StoredAnchors = async () => undefined,
): Promise<ConnectedAnchors> {
  const known = new Map(places.flatMap(({ anchors }) => anchors.map((anchor) => [anchor.digest, anchor] as const)))
  const waiting = [...known.values()].sort((a, b) => a.id - b.id || a.at.getTime() - b.at.getTime())
  const path: ReadAnchor[] = []
  const missing: MissingAnchors[] = []
  const lost: ReadAnchor[][] = []
  /** Takes what waits up to the next anchor of the path, which what lies between is no part of. */
  const takeUntil = (next: ReadAnchor | undefined): ReadAnchor | undefined => {
    const left = waiting.splice(next === undefined ? 0 : waiting.indexOf(next))
    const beside = next === undefined ? left : left.slice(1)
    if (beside.length > 0) lost.unshift(beside)
    return next
  }
  /** The first anchor that every place lacks although the database has it. */
  let before: number | undefined
  for (let anchor = takeNewest(waiting); anchor !== undefined; ) {
    path.push(anchor)
    const { id, previous } = anchor
    const parent = known.get(previous.toString('hex'))
    if (parent !== undefined || previous.equals(NO_ANCHOR)) {
      if (before !== undefined) missing.unshift({ after: parent?.id ?? 0, before, stored: true })
      before = undefined
      if (parent !== undefined && !waiting.includes(parent)) throw doesNotFollow(anchor, parent)
      anchor = takeUntil(parent)
      continue
    }
    // A file that begins later lacks nothing in between.
    if (waiting.length === 0) break
    const inDatabase = await confirmed(await stored(id), previous)
    if (inDatabase !== undefined) {
      before ??= id
      anchor = inDatabase
      continue
    }
    const next = waiting.findLast((other) => other.id < id)
    if (next !== undefined) {
      if (next.id === id - 1) throw doesNotFollow(anchor, next)
      missing.unshift({ after: next.id, before: before ?? id, stored: false })
    }
    before = undefined
    anchor = takeUntil(next)
  }
  return { anchors: path.length, checkpoints: path.reverse().flatMap(checkpointsOf), missing, lost }
}

/**
 * The newest of those that no other one follows. By time: a database that went back without an epoch issues lower ids than
 * it had. Not the newest of all by time, because a clock may be set back within a chain.
 */
function takeNewest(waiting: ReadAnchor[]): ReadAnchor | undefined {
  const followed = new Set(waiting.map(({ previous }) => previous.toString('hex')))
  const ends = waiting.filter(({ digest }) => !followed.has(digest))
  const newest = ends.toSorted((a, b) => a.at.getTime() - b.at.getTime() || a.id - b.id).at(-1)
  if (newest !== undefined) waiting.splice(waiting.indexOf(newest), 1)
  return newest
}

function confirmed(anchor: AuditAnchor | undefined, digest: Buffer): ReadAnchor | undefined {
  if (anchor === undefined || !digestOf(anchorText(anchor)).equals(digest)) return undefined
  return { ...anchor, digest: digest.toString('hex'), place: 'the database' }
}

const doesNotFollow = ({ place, id }: ReadAnchor, other: ReadAnchor): Error =>
  new Error(`${place}: anchor ${id} does not follow anchor ${other.id}`)

const checkpointsOf = ({ heads }: AuditAnchor): AuditCheckpoint[] =>
  heads.map(({ organizationId, entries, hash }) => ({ organizationId, entryId: entries, hash: hash.toString('hex') }))

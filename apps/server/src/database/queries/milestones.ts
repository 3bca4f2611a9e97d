import type { Database, Tx } from '../handles.ts'

/** Something that happened and is committed, for the log and the metrics of this process. */
export interface Milestone {
  /** In words: `operation planned`, `transaction broadcast`. docs/logs.md lists them. */
  readonly name: string
  /** Ids, chain, hash, codes: no amounts, no personal data, no secrets. */
  readonly facts: Readonly<Record<string, string | number | null | undefined>>
}

export type MilestoneListener = (milestone: Milestone) => void

const LISTENERS = new WeakMap<Database, MilestoneListener>()
const COLLECTED = new WeakMap<Tx, Milestone[]>()

/** Calls `listener` for each milestone on this database handle and on handles made from it, after its commit. */
export function listenToMilestones(db: Database, listener: MilestoneListener): void {
  LISTENERS.set(db, listener)
}

/** A handle made from another one has its listener. */
export function copyListener(from: Database, to: Database): void {
  const listener = LISTENERS.get(from)
  if (listener) LISTENERS.set(to, listener)
}

/** Collects the milestones of a transaction, if somebody listens; `publishCollected` after its commit. */
export function collectMilestones(db: Database, tx: Tx): void {
  if (LISTENERS.has(db)) COLLECTED.set(tx, [])
}

/** A milestone that counts when the transaction commits. A transaction that rolls back has none. */
export function recordMilestone(tx: Tx, milestone: Milestone): void {
  COLLECTED.get(tx)?.push(milestone)
}

export function publishCollected(db: Database, tx: Tx): void {
  for (const milestone of COLLECTED.get(tx) ?? []) LISTENERS.get(db)?.(milestone)
}

/** A milestone that is committed already. */
export function publishMilestone(db: Database, milestone: Milestone): void {
  LISTENERS.get(db)?.(milestone)
}

import type { Database, Tx } from './handles.ts'

/** Something that happened and is committed, for the log and the metrics of this process. */
export interface Step {
  /** In words: `operation planned`, `transaction broadcast`. docs/logs.md lists them. */
  readonly name: string
  /** Ids, chain, hash, codes: no amounts, no personal data, no secrets. */
  readonly facts: Readonly<Record<string, string | number | null | undefined>>
}

export type StepListener = (step: Step) => void

const LISTENERS = new WeakMap<Database, StepListener>()
const COLLECTED = new WeakMap<Tx, Step[]>()

/** Calls `listener` for each step on this database handle and on handles made from it, after its commit. */
export function listenToSteps(db: Database, listener: StepListener): void {
  LISTENERS.set(db, listener)
}

/** A handle made from another one has its listener. */
export function copyListener(from: Database, to: Database): void {
  const listener = LISTENERS.get(from)
  if (listener) LISTENERS.set(to, listener)
}

/** Collects the steps of a transaction, if somebody listens; `publishCollected` after its commit. */
export function collectSteps(db: Database, tx: Tx): void {
  if (LISTENERS.has(db)) COLLECTED.set(tx, [])
}

/** A step that counts when the transaction commits. A transaction that rolls back has none. */
export function recordStep(tx: Tx, step: Step): void {
  COLLECTED.get(tx)?.push(step)
}

export function publishCollected(db: Database, tx: Tx): void {
  for (const step of COLLECTED.get(tx) ?? []) LISTENERS.get(db)?.(step)
}

/** A step that is committed already. */
export function publishStep(db: Database, step: Step): void {
  LISTENERS.get(db)?.(step)
}

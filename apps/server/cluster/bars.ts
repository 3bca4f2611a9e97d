import type { Fault } from './faults.ts'

/** The longest times in milliseconds that a fault may interrupt a deployment for. */
export interface Bars {
  /** Undefined: this fault has no bar for writes. */
  readonly writesMs: number | undefined
  readonly settlementMs: number
}

/** A caller that repeats for a quarter of a minute notices no killed primary. */
const WRITES_AFTER_A_KILLED_PRIMARY_MS = 15_000
const SETTLEMENT_MS = 30_000

/** Where there is one of a part, nothing can go on before it comes back: the bar counts from then. */
export const barsOf = ({
  killsPrimary = false,
  backAfterMs = 0,
}: Pick<Fault, 'killsPrimary' | 'backAfterMs'>): Bars => ({
  writesMs: killsPrimary ? WRITES_AFTER_A_KILLED_PRIMARY_MS : undefined,
  settlementMs: backAfterMs + SETTLEMENT_MS,
})

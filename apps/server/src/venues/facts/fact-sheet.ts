import type { Strategy } from '../port.ts'

/**
 * - `upgrade`: replaces the code that holds deposits.
 * - `pause`: stops deposits or withdrawals.
 * - `allocate`: moves deposits between markets, strategies or custodians.
 * - `configure`: changes caps, rates, fees or oracles.
 */
export type PrivilegedAction = 'upgrade' | 'pause' | 'allocate' | 'configure'

/** Somebody who can change what a deposit is exposed to. */
export interface PrivilegedRole {
  readonly power: PrivilegedAction
  readonly holder: string
  /** Seconds from the announcement on the chain to the effect; 0: at once; `null`: our sources do not say. */
  readonly delaySeconds: number | null
  readonly note: string | null
  /** The delay is the one that the contract itself reports. */
  readonly waitsForTimelock?: true
}

/** What is known about a strategy and does not come from its chain. Checked in, with sources; no score. */
export interface FactSheet {
  readonly protocol: string
  /** Where the yield comes from, in one sentence. */
  readonly yieldSource: string
  /** What prices the collateral behind the deposits; `null`: nothing does. */
  readonly oracle: string | null
  /** How withdrawals take time, in one sentence; absent: they pay at once, or nothing. */
  readonly exit?: string
  /** An empty list of one power means that nobody has it. */
  readonly controls: readonly PrivilegedRole[]
  readonly sources: readonly string[]
  /** The day on which the sources were read. */
  readonly checkedOn: string
}

/** The delay of a control: where the contract reports it, that of this strategy. */
export function delayOf(
  { waitsForTimelock, delaySeconds }: PrivilegedRole,
  { timelockSeconds }: Pick<Strategy, 'timelockSeconds'>,
): number | null {
  return waitsForTimelock ? timelockSeconds : delaySeconds
}

/** The usual case has no note. */
export function control(
  power: PrivilegedAction,
  holder: string,
  delaySeconds: number | null,
  note: string | null = null,
): PrivilegedRole {
  return { power, holder, delaySeconds, note }
}

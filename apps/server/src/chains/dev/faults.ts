/** What can be made to go wrong on a development chain (decisions 13). */
export const CHAIN_FAULTS = ['rpc_down', 'drop_next', 'revert_next', 'delay_next', 'simulation_fails'] as const
export type ChainFault = (typeof CHAIN_FAULTS)[number]

export const CHAIN_FAULT_COUNT_MAX = 1_000

/** How often each fault still strikes. */
export interface Faults {
  /** Replaces what is left; 0 ends the fault. */
  set(fault: ChainFault, count: number): void
  left(fault: ChainFault): number
  /** True, and one less is left, when the fault is on. */
  strikes(fault: ChainFault): boolean
  /** A strike that found nothing to strike. */
  giveBack(fault: ChainFault): void
}

export function createFaults(): Faults {
  const counts = new Map<ChainFault, number>()
  const left = (fault: ChainFault) => counts.get(fault) ?? 0
  return {
    set: (fault, count) => void counts.set(fault, count),
    left,
    strikes(fault) {
      if (left(fault) === 0) return false
      counts.set(fault, left(fault) - 1)
      return true
    },
    giveBack: (fault) => void counts.set(fault, left(fault) + 1),
  }
}

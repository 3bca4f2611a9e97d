/** The faults that a development chain can inject (contract 13). */
export const CHAIN_FAULTS = ['rpc_down', 'drop_next', 'revert_next', 'delay_next', 'simulation_fails'] as const
export type ChainFault = (typeof CHAIN_FAULTS)[number]

/** The remaining count of each fault. */
export interface Faults {
  /** Replaces the remaining count; 0 ends the fault. */
  set(fault: ChainFault, count: number): void
  remaining(fault: ChainFault): number
  /** True, and decrements the count, when the fault is active. */
  consume(fault: ChainFault): boolean
  /** Returns an unused count: the fault found nothing to affect. */
  release(fault: ChainFault): void
}

export function createFaults(): Faults {
  const counts = new Map<ChainFault, number>()
  const remaining = (fault: ChainFault) => counts.get(fault) ?? 0
  return {
    set: (fault, count) => void counts.set(fault, count),
    remaining,
    consume(fault) {
      if (remaining(fault) === 0) return false
      counts.set(fault, remaining(fault) - 1)
      return true
    },
    release: (fault) => void counts.set(fault, remaining(fault) + 1),
  }
}

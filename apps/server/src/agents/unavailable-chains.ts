import { AGENT_CHAIN_COOLDOWN_MS, addMilliseconds, type Clock } from '../kernel/index.ts'

/** Chains that were unavailable a moment ago, in this process: their work is skipped for a while (rule 12). */
export interface UnavailableChains {
  markUnavailable(blockchain: string): void
  /** Those of `blockchains` that are worth a request. */
  filterAvailable(blockchains: Iterable<string>): string[]
}

export function createUnavailableChains(clock: Clock): UnavailableChains {
  const until = new Map<string, Date>()
  return {
    markUnavailable: (blockchain) => void until.set(blockchain, addMilliseconds(clock.now(), AGENT_CHAIN_COOLDOWN_MS)),
    filterAvailable(blockchains) {
      const now = clock.now()
      return [...blockchains].filter((blockchain) => (until.get(blockchain) ?? now) <= now)
    },
  }
}

import { AGENT_CHAIN_COOLDOWN_MS, type Clock, havePassed } from '../kernel/index.ts'

/** Chains that were unavailable a moment ago, in this process: their work is skipped for a while (rule 12). */
export interface UnavailableChains {
  markUnavailable(blockchain: string): void
  /** Those of `blockchains` that are worth a request. */
  filterAvailable(blockchains: Iterable<string>): string[]
}

export function createUnavailableChains(clock: Clock): UnavailableChains {
  const since = new Map<string, Date>()
  return {
    markUnavailable: (blockchain) => void since.set(blockchain, clock.now()),
    filterAvailable(blockchains) {
      const now = clock.now()
      return [...blockchains].filter((blockchain) => havePassed(AGENT_CHAIN_COOLDOWN_MS, since.get(blockchain), now))
    },
  }
}

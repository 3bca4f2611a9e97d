import { AGENT_SILENCE_MS, type Clock, later } from '../kernel/index.ts'

/** Chains that did not answer a moment ago, in this process: their work is passed over for a while (money-rules 12). */
export interface SilentChains {
  note(blockchain: string): void
  /** Those of `blockchains` that are worth asking. */
  speaking(blockchains: Iterable<string>): string[]
}

export function createSilentChains(clock: Clock): SilentChains {
  const until = new Map<string, Date>()
  return {
    note: (blockchain) => void until.set(blockchain, later(clock.now(), AGENT_SILENCE_MS)),
    speaking(blockchains) {
      const now = clock.now()
      return [...blockchains].filter((blockchain) => (until.get(blockchain) ?? now) <= now)
    },
  }
}

/** An agent that polled less often than this is silent. */
const SILENT_MS = 5 * 60_000

/** An agent's key, and when it last polled. */
export interface Polling {
  readonly keyName: string
  readonly polledAt: string
}

/** What keeps transactions from being signed. */
export interface Silence {
  /** No agent polled for as long as the service remembers them. */
  readonly kind: 'none' | 'all' | 'some'
  /** Those that are silent, the last that polled first. */
  readonly silent: readonly Polling[]
  readonly agents: number
}

export const isSilent = (polledAt: string, now: number): boolean => now - Date.parse(polledAt) > SILENT_MS

/** Which agents are silent; undefined if all of them poll. Nobody can tell which of them signs for a wallet. */
export function silenceOf(agents: readonly Polling[], now: number): Silence | undefined {
  const silent = agents
    .filter(({ polledAt }) => isSilent(polledAt, now))
    .sort((one, other) => Date.parse(other.polledAt) - Date.parse(one.polledAt))
  if (agents.length === 0) return { kind: 'none', silent, agents: 0 }
  if (silent.length === 0) return undefined
  return { kind: silent.length === agents.length ? 'all' : 'some', silent, agents: agents.length }
}

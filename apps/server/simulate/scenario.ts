import type { Action } from './clients/action.ts'
import type { NodeFaults } from './service/node.ts'
import type { SimulationRun } from './simulation-run.ts'

/** The two kinds of chain that a seed may play on. */
export const CHAINS = ['evm', 'solana'] as const
export type ChainKind = (typeof CHAINS)[number]

/** What a seed is made to meet more often than it was drawn, so that a rare thing is looked for where it can happen. */
export interface Emphasis {
  /** Instead of the seed's own. */
  readonly chain?: ChainKind
  readonly faults?: Partial<NodeFaults>
  /** Names of actions that come often, and of those that never come. */
  readonly often?: readonly string[]
  readonly never?: readonly string[]
  /** Whether there is a treasury, instead of by chance. */
  readonly treasury?: boolean
}

/** A seed on one kind of chain: its stage, what may happen on it, and what is looked at. */
export interface Scenario<P extends SimulationRun = SimulationRun> {
  readonly run: P
  /** Where every seed begins. */
  setUp(): Promise<void>
  /** What may happen, and how often. */
  actions(): [number, Action<P>][]
  /** Looked at after each step in which something was written. */
  check(play: P): Promise<void>
  /** The chain is healed, time passes, and everything is looked at once more. */
  quiesce(): Promise<void>
}

/** Each seed does some things often and leaves others out, so that rare mixtures come up. */
export function weighActions<P extends SimulationRun>(
  play: P,
  actions: readonly Action<P>[],
  { often = [], never = [] }: Emphasis,
  shareOf: (action: Action<P>) => number = () => 1,
): [number, Action<P>][] {
  const random = play.random.fork('actions')
  return actions.map((action) => {
    if (never.includes(action.name)) return [0, action]
    if (often.includes(action.name)) return [action.weight * 5, action]
    const isNeeded = action.weight >= 10
    const share =
      !isNeeded && random.chance(0.25)
        ? 0
        : random.weighted([
            [1, 0.5],
            [2, 1],
            [1, 2],
          ] as const)
    return [action.weight * share * shareOf(action), action]
  })
}

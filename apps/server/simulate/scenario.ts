import type { Action } from './clients/action.ts'
import type { NodeFaults } from './service/node.ts'
import type { SimulationRun } from './simulation-run.ts'

/** The kinds of chains that a seed can run on. */
export const CHAINS = ['evm', 'solana'] as const
export type ChainKind = (typeof CHAINS)[number]

/** Overrides a seed's random choices to search for a rare event where it can happen. */
export interface Emphasis {
  /** Replaces the seed's own chain. */
  readonly chain?: ChainKind
  readonly faults?: Partial<NodeFaults>
  /** Names of actions that happen often, and of those that never happen. */
  readonly often?: readonly string[]
  readonly never?: readonly string[]
  /** Whether there is a treasury, instead of a random choice. */
  readonly treasury?: boolean
  /** Whether markets run out of liquidity, stop accepting deposits, or refuse; by default in some where a treasury is drawn. */
  readonly unkind?: boolean
  /**
   * Whether contracts are upgraded, USDC leaves its peg, and the treasury has circuit breakers; by default in some where a
   * treasury is drawn.
   */
  readonly breakers?: boolean
  /** Whether agents refuse one market at a time; by default in some where a treasury is drawn. */
  readonly refusing?: boolean
  /** Whether the treasury limits what Weir deposits on its own; by default in some where a treasury is drawn. */
  readonly limits?: boolean
  /** Whether every vault that can lose money does so soon; by default in some. */
  readonly losses?: boolean
  /** Whether a vault takes a fee of deposits; by default in some where a treasury is drawn. */
  readonly fees?: boolean
  /** Whether a vault reports no limit of deposits and withdrawals; by default in some where a treasury is drawn. */
  readonly silent?: boolean
  /**
   * Whether markets bound single withdrawals or keep a part of them without saying so, nodes give up on them, and
   * strangers give wallets crumbs of positions; by default in some where a treasury is drawn.
   */
  readonly odd?: boolean
  /** Whether fees rise so that agents' transactions are left behind; by default in some where a treasury is drawn. */
  readonly stuck?: boolean
  /** Whether people withdraw in parts what a market cannot pay at once; by default in some where markets are unkind. */
  readonly awaited?: boolean
  /** On Solana: whether nodes list too many transactions of some wallets to be read; by default in some. */
  readonly spam?: boolean
  /** Whether vaults that pay later are among the markets; by default where a treasury is drawn. */
  readonly exits?: boolean
  /** Whether several workers share the database, which fails over at times; true unless it says otherwise. */
  readonly workers?: boolean
  /** Whether people accept breaks; by default where a search names no treasury, which keeps the course of the others. */
  readonly breaks?: boolean
  /** Whether settlements of some wallets fail for a while; by default as `breaks`. */
  readonly quarantine?: boolean
  /** Whether the database goes back in time, once at most; by default as `breaks`. */
  readonly history?: boolean
  /** How likely the database fails over, instead of the usual rate; per step. */
  readonly failover?: number
  /** How likely an agent's signer fails, instead of the usual rate; per attempt. */
  readonly signerFailure?: number
}

/** A seed on one kind of chain: its setup, its actions and its checks. */
export interface Scenario<P extends SimulationRun = SimulationRun> {
  readonly run: P
  /** Creates the initial state. */
  setUp(): Promise<void>
  /** The possible actions with their weights. */
  actions(): [number, Action<P>][]
  /** Runs after each step that wrote something. */
  check(run: P): Promise<void>
  /** Heals the chain, lets time pass, and runs all checks again. */
  quiesce(): Promise<void>
}

/** Each seed does some actions often and skips others, which produces rare combinations. */
export function weighActions<P extends SimulationRun>(
  run: P,
  actions: readonly Action<P>[],
  { often = [], never = [] }: Emphasis,
  shareOf: (action: Action<P>) => number = () => 1,
): [number, Action<P>][] {
  const names = new Set(actions.map(({ name }) => name))
  const unknown = [...often, ...never].filter((name) => !names.has(name))
  if (unknown.length > 0) throw new Error(`the emphasis names no action: ${unknown.join(', ')}`)
  const random = run.random.fork('actions')
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

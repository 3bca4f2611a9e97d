import type { StrategyState, StrategyStateChange } from '@weir/devnet'
import type { Chain, DevChain, Heartbeat, Network } from '../chains/index.ts'
import type { Database } from '../database/index.ts'
import { type Clock, type Log, validationError } from '../kernel/index.ts'
import type { RunExclusive } from './run-exclusive.ts'
import type { Treasury } from './treasury-port.ts'

/**
 * Waits, for a limited time, until this block is settled, so the caller's next read shows it. The follower of the chain
 * implements it.
 */
export type WaitUntilRecorded = (blockchain: string, blockNumber: number) => Promise<void>

/** The states of the venues on an embedded chain, by the key of the strategy. Both throw StateNotSupported. */
export interface VenueStates {
  readonly strategyState: (key: string) => Promise<StrategyState>
  /** Throws VenueRefused when the venue's contracts refuse. */
  readonly setStrategyState: (key: string, change: StrategyStateChange) => Promise<StrategyState>
}

/** An embedded chain as the sandbox controls it. */
export interface SandboxChain {
  readonly network: Network
  /** Distinguishes this chain from an earlier one of the same name, whose treasury had the same key. */
  readonly genesisHash: string
  readonly treasury: Treasury
  /** The treasury's own connection to the node, without faults. */
  readonly faultFree: Chain
  readonly dev: DevChain
  readonly heartbeat: Heartbeat
  readonly venueStates: VenueStates
}

/** What the verbs of this room need. */
export interface SandboxParts {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  /** The embedded chains by name. */
  readonly sandbox: ReadonlyMap<string, SandboxChain>
  /** Serializes calls that move the clocks. */
  readonly runExclusive: RunExclusive
  readonly waitUntilRecorded?: WaitUntilRecorded
}

/** Returns the embedded chain of that name. Error: VALIDATION_ERROR, even for a chain that runs elsewhere. */
export function requireSandboxChain({ sandbox }: Pick<SandboxParts, 'sandbox'>, blockchain: string): SandboxChain {
  const chain = sandbox.get(blockchain)
  if (chain === undefined)
    throw validationError('blockchain', `must be an embedded chain: ${[...sandbox.keys()].join(', ')}`)
  return chain
}

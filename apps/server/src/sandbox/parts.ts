import type { Chain, DevChain, Heartbeat, Network } from '../chains/index.ts'
import type { Database } from '../database/index.ts'
import { type Clock, invalid, type Log } from '../kernel/index.ts'
import type { OneAtATime } from './one-at-a-time.ts'
import type { Treasury } from './treasury/treasury.ts'

/**
 * Waits, not for ever, until this block stands in the books, so that what a caller reads next shows it. Whoever follows
 * the chains implements it.
 */
export type Settled = (blockchain: string, blockNumber: number) => Promise<void>

/** An embedded chain as the sandbox handles it. */
export interface SandboxChain {
  readonly network: Network
  /** Tells this chain from an earlier one of the same name, whose treasury had the same key. */
  readonly genesisHash: string
  readonly treasury: Treasury
  /** The treasury's own way to the node: faults never strike it. */
  readonly unstruck: Chain
  readonly dev: DevChain
  readonly heartbeat: Heartbeat
}

/** What the verbs of this room need. */
export interface SandboxParts {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  /** The embedded chains by name. */
  readonly sandbox: ReadonlyMap<string, SandboxChain>
  /** Lets one call at a time move the clocks. */
  readonly alone: OneAtATime
  readonly settled?: Settled
}

/** The embedded chain of that name. Error: VALIDATION_ERROR, also for a chain that is served from elsewhere. */
export function sandboxChain({ sandbox }: Pick<SandboxParts, 'sandbox'>, blockchain: string): SandboxChain {
  const chain = sandbox.get(blockchain)
  if (chain === undefined) throw invalid('blockchain', `must be an embedded chain: ${[...sandbox.keys()].join(', ')}`)
  return chain
}

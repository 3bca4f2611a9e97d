import type { Chain, DevChain, Heartbeat, Network } from '../chains/index.ts'
import type { Database } from '../database/index.ts'
import { type Clock, type Log, validationError } from '../kernel/index.ts'
import type { RunExclusive } from './run-exclusive.ts'
import type { Treasury } from './treasury/treasury.ts'

/**
 * Waits, not for ever, until this block stands in the books, so that what a caller reads next shows it. Whoever follows
 * the chains implements it.
 */
export type WaitUntilRecorded = (blockchain: string, blockNumber: number) => Promise<void>

/** An embedded chain as the sandbox handles it. */
export interface SandboxChain {
  readonly network: Network
  /** Tells this chain from an earlier one of the same name, whose treasury had the same key. */
  readonly genesisHash: string
  readonly treasury: Treasury
  /** The treasury's own way to the node: faults never strike it. */
  readonly faultFree: Chain
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
  readonly runExclusive: RunExclusive
  readonly waitUntilRecorded?: WaitUntilRecorded
}

/** The embedded chain of that name. Error: VALIDATION_ERROR, also for a chain that is served from elsewhere. */
export function requireSandboxChain({ sandbox }: Pick<SandboxParts, 'sandbox'>, blockchain: string): SandboxChain {
  const chain = sandbox.get(blockchain)
  if (chain === undefined)
    throw validationError('blockchain', `must be an embedded chain: ${[...sandbox.keys()].join(', ')}`)
  return chain
}

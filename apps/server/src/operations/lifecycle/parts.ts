import type { Chain, Chains } from '../../chains/index.ts'
import type { Database, Tx } from '../../database/index.ts'
import {
  assert,
  type Clock,
  DROPPED_AFTER_MS,
  EVM_INCLUSION_TIMEOUT_MS,
  Failure,
  type Log,
  type QuotaLimits,
  REPLACE_AFTER_MS,
} from '../../kernel/index.ts'
import type { Operation } from './states/operation.ts'

/** The dependencies of this room's verbs. */
export interface Parts {
  readonly db: Database
  readonly chains: Chains
  readonly clock: Clock
  readonly log: Log
  /**
   * Whether the clock of this process agrees with the database's; absent: it does. While it does not, nothing expires or
   * times out here: others may have hours left.
   */
  clockAgrees?(): boolean
  /** Default: {@link DEFAULT_TIMEOUTS}. */
  readonly timeouts?: TransactionTimeouts
  /** What an organization may have at most; the defaults if absent. */
  readonly quotas?: QuotaLimits
  /** The least amount that is worth a transaction, in base units of a token with these decimals; default: 1. */
  dustOf?(decimals: number): bigint
  /**
   * Why a deployment that the rebalancer planned may not be made now, as a text for people: the organization's caps and
   * limits, or a withdrawal that is awaited there. `undefined`: it may. Absent: nothing is limited.
   */
  limitReason?(tx: Tx, deployment: Operation): Promise<string | undefined>
}

/** How long a submitted transaction may stay out of a block before it is replaced or fails (contract 8). */
export interface TransactionTimeouts {
  /** While no node knows the transaction. */
  readonly droppedAfterMs: number
  /** While nodes know the transaction; EVM chains only. */
  readonly inclusionTimeoutMs: number
  /** How long until agents get it again with higher fees, even between two raises; EVM chains only. 0: never. */
  readonly replaceAfterMs: number
}

export const DEFAULT_TIMEOUTS: TransactionTimeouts = {
  droppedAfterMs: DROPPED_AFTER_MS,
  inclusionTimeoutMs: EVM_INCLUSION_TIMEOUT_MS,
  replaceAfterMs: REPLACE_AFTER_MS,
}

/** The chain that a stored row names. Error: CHAIN_UNAVAILABLE if it is no longer configured. */
export function chainOf(parts: Pick<Parts, 'chains'>, blockchain: string): Chain {
  const chain = parts.chains.get(blockchain)
  if (!chain) throw new Failure('CHAIN_UNAVAILABLE', { message: `${blockchain} is not served here at the moment.` })
  return chain
}

/** The configured token at an address from a stored row. */
export function tokenOf(chain: Chain, address: string) {
  const token = chain.network.tokens.find((candidate) => candidate.address === address)
  assert(token, `${address} is a token of ${chain.network.blockchain}`)
  return token
}

import type { SignedTransaction } from '../journal/index.ts'

/**
 * What became of sending. `refused`: the node said no for certain and nothing is on its way; `stale`: the nonce is used or
 * the blockhash gone, and the service will make new bytes once that is final; `unknown`: no answer, or
 * words that decide nothing, so it may be on its way.
 */
export type SendResult =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'stale'; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string }

/**
 * What the chain says of signed bytes. `final` and `dead` do not change any more; `lost`: no node knows them, and they
 * could still land.
 */
export type TransactionState = 'final' | 'included' | 'pending' | 'lost' | 'dead'

/** A chain as the agent needs it, through the organization's own endpoints. Throws {@link NodeUnavailable} without an answer. */
export interface Node {
  readonly blockchain: string
  readonly family: 'evm' | 'svm'
  /** The hash of the first block: another one than before means another chain. */
  genesis(): Promise<string>
  /** Solana: the height of the newest block; null on EVM. */
  height(): Promise<number | null>
  /** Throws when the endpoints serve another chain than the list says. */
  checkIdentity(): Promise<void>
  send(entry: SignedTransaction): Promise<SendResult>
  transactionState(entry: SignedTransaction): Promise<TransactionState>
}

/** No endpoint answered. */
export class NodeUnavailable extends Error {
  override readonly name = 'NodeSilent'
}

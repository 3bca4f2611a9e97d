import type { SignedTransaction } from '../journal/index.ts'

/**
 * The outcome of a broadcast. `refused`: the node rejected it and nothing is in flight. `stale`: the nonce is used or the
 * blockhash has expired; the service builds new bytes once that is final. `unknown`: no response or an inconclusive one,
 * so the transaction may be in flight.
 */
export type SendResult =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'stale'; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string }

/**
 * What the chain knows about signed bytes. `final` and `dead` are permanent. `lost`: no node knows the bytes, but they
 * can still land.
 */
export type TransactionState = 'final' | 'included' | 'pending' | 'lost' | 'dead'

/** A chain, through the organization's own endpoints. Throws {@link NodeUnavailable} when none of them responds. */
export interface Node {
  readonly blockchain: string
  readonly family: 'evm' | 'svm'
  /** The hash of the first block. */
  genesis(): Promise<string>
  /**
   * Whether the endpoints serve the chain that begins with this hash. False only if all of them respond and agree on
   * another one, because bytes of another chain are given up; throws {@link NodeUnavailable} while that is open.
   */
  serves(genesis: string): Promise<boolean>
  /** Solana: height of the newest block. Null on EVM. */
  height(): Promise<number | null>
  /** Asks each endpoint which chain it serves. None: each one serves the listed chain. */
  identityProblems(): Promise<readonly IdentityProblem[]>
  send(entry: SignedTransaction): Promise<SendResult>
  /**
   * How many base units of a token these unsigned bytes would pay out to their signer now, by running them on the newest
   * state without sending them. The highest of the endpoints' values.
   */
  payout(of: { readonly unsigned: string; readonly signer: string; readonly token: string }): Promise<bigint>
  /** EVM: how many transactions a wallet has sent, by the lowest of the endpoints' values. Null on Solana. */
  transactionCounts(signer: string): Promise<TransactionCounts | null>
  transactionState(entry: SignedTransaction): Promise<TransactionState>
}

/** The next nonce of a wallet. */
export interface TransactionCounts {
  /** After what blocks include. */
  readonly included: number
  /** After what the endpoints know, included or pending. */
  readonly known: number
}

/** Why one endpoint is not used. */
export interface IdentityProblem {
  /** It serves another chain; otherwise it did not respond. */
  readonly isOther: boolean
  /** Names the endpoint. */
  readonly reason: string
}

/** No endpoint responded. */
export class NodeUnavailable extends Error {
  override readonly name = 'NodeSilent'
}

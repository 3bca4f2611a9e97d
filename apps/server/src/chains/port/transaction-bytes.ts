import type { Call } from './calls.ts'
import type { BlockhashLifetime, SenderState } from './sender-state.ts'

export interface TransactionRequest {
  readonly sender: string
  readonly call: Call
  /** `null` on Solana, which has no nonces. */
  readonly nonce: number | null
  readonly gas: bigint
  readonly senderState: SenderState
  /** Solana's memo carries it (rule 11). */
  readonly transactionId: number
}

export interface UnsignedTransaction {
  /** As issued: hex on EVM, base64 on Solana. */
  readonly bytes: string
  readonly nonce: number | null
  /** What the bytes do; on Solana the plan's call with the memo. */
  readonly call: Call
  /** Solana only. */
  readonly lifetime: BlockhashLifetime | undefined
}

/** The planned transaction; the signer may raise fees and gas, nothing else may differ. */
export interface ExpectedTransaction {
  readonly sender: string
  readonly call: Call
  readonly nonce: number | null
  /** Solana: the issued blockhash. */
  readonly blockhash?: string | null
}

export type SignedTransaction = EvmSignedTransaction | SvmSignedTransaction

export interface EvmSignedTransaction {
  readonly family: 'evm'
  /** Known before anything is sent. */
  readonly hash: string
  /** Canonical raw bytes, as sent. */
  readonly raw: string
  readonly nonce: number
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** Solana cannot replace a transaction that was sent: another fee makes another transaction, and both may land. */
export interface SvmSignedTransaction {
  readonly family: 'svm'
  readonly hash: string
  readonly raw: string
}

/**
 * The outcome of a broadcast. `refused`: a node definitely refused, and nothing is on its way; `stale`: the nonce was
 * used, or the blockhash has expired; `unknown`: no response, so it may be on its way.
 */
export type BroadcastResult =
  | { readonly outcome: 'accepted' | 'known' }
  | {
      readonly outcome: 'refused'
      readonly code: 'INSUFFICIENT_GAS' | 'SIMULATION_FAILED' | 'UNDERPRICED'
      readonly reason: string
    }
  | { readonly outcome: 'stale'; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string }

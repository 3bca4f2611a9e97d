import { assert } from '../../kernel/index.ts'

export type SenderState = EvmSenderState | SvmSenderState

/** How many transactions of a sender the node counts, which is its next nonce. */
export interface NonceCounts {
  /** Includes pending transactions. */
  readonly pending: number
  /** In blocks up to the latest. */
  readonly latest: number
  /** The first block that surely includes all of the latest count, or a later one. */
  readonly block: number
}

export interface EvmSenderState {
  readonly family: 'evm'
  readonly nonces: NonceCounts
  /** Native base units. */
  readonly native: bigint
  /** Of the latest block. */
  readonly baseFeePerGas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  /** Rollups only: the maximum cost of one transaction's data on the underlying chain, in native base units. */
  readonly dataFee?: bigint
}

export interface SvmSenderState {
  readonly family: 'svm'
  readonly nonces: null
  /** Lamports. */
  readonly native: bigint
  /** Of the latest block; determines when bytes expire. */
  readonly height: number
  readonly lifetime: BlockhashLifetime
  /** Millionths of a lamport for a compute unit. */
  readonly priorityFee: bigint
}

/** How long bytes can land on Solana. */
export interface BlockhashLifetime {
  readonly blockhash: string
  /** The height of the last block that can include them. */
  readonly lastValidBlockHeight: number
  /**
   * The earliest end, from the moment it was read: a chain makes no block faster than a slot, and a quiet embedded one
   * slower. Bytes that outlive it are still taken.
   */
  readonly validForMs: number
}

export function asEvmSenderState(senderState: SenderState): EvmSenderState {
  assert(senderState.family === 'evm', 'the state of an EVM sender')
  return senderState
}

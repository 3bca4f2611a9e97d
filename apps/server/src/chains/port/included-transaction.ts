import type { SvmInstruction } from './calls.ts'

/** A transaction in a block, with its outcome. Addresses canonical. */
export type IncludedTransaction = EvmIncludedTransaction | SvmIncludedTransaction

interface IncludedBase {
  readonly hash: string
  readonly blockNumber: number
  readonly succeeded: boolean
  /** Why it failed; `undefined` if it succeeded. */
  readonly failureCode: FailureCode | undefined
  /** Gas, or compute units. */
  readonly gasUsed: bigint
  readonly gasLimit: bigint
}

export interface EvmIncludedTransaction extends IncludedBase, EvmTransactionContent {
  readonly logs: readonly ChainLog[]
}

export interface SvmIncludedTransaction extends IncludedBase, SvmTransactionContent {
  /** Every token account that it touched. */
  readonly tokens: readonly TokenChange[]
  /** Why it failed, as the node reports it. */
  readonly error: unknown
  readonly programLogs: readonly string[]
}

/** How a transaction in a block failed (spec 7.4). */
export type FailureCode = 'REVERTED' | 'OUT_OF_GAS' | 'INSUFFICIENT_FUNDS'

/** Balances of one token account before and after a transaction, in base units. */
export interface TokenChange {
  readonly account: string
  readonly owner: string
  readonly token: string
  readonly before: bigint
  readonly after: bigint
}

/** What a transaction does, and who signed and paid for it. Data lower-case hex. */
export interface EvmTransactionContent {
  readonly family: 'evm'
  readonly sender: string
  readonly to: string | undefined
  readonly nonce: number
  readonly data: string
  readonly value: bigint
}

export interface SvmTransactionContent {
  readonly family: 'svm'
  readonly sender: string
  readonly nonce: null
  /** Without those that only set the transaction's cost. */
  readonly instructions: readonly SvmInstruction[]
}

export interface ChainLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** What an EVM transaction offers for gas, in wei. */
export interface OfferedFees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** A transaction that a node knows, pending or included. Those of EVM chains that a node returned by hash have fees. */
export type ObservedTransaction = (EvmTransactionContent | SvmTransactionContent) & {
  readonly hash: string
  readonly blockNumber: number | undefined
  readonly fees?: OfferedFees
}

/** A transfer of tokens in an included transaction. Owners are wallets, not their token accounts. */
export interface IncludedTransfer {
  readonly token: string
  /** `undefined`: the tokens were minted, or, on Solana, several owners lost some. */
  readonly from: string | undefined
  /**
   * `undefined`: an account lost tokens, and the transfers of the accounts that gained them say where they went. Solana
   * only, whose transactions show balances and not transfers.
   */
  readonly to: string | undefined
  /** Base units. */
  readonly amount: bigint
  /** Identifies the transfer in its transaction; stable across reads of the block. */
  readonly position: number
}

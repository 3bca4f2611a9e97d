import type { Call, SvmInstruction } from './calls.ts'
import type { Network } from './networks.ts'

/**
 * The Chain port: everything Weir needs from a blockchain, in the terms of operations. Adapters are in `evm/` and
 * `solana/`; nothing outside them uses a client library.
 *
 * Every method that calls the chain throws `Failure('CHAIN_UNAVAILABLE')` when no endpoint responds, and changes
 * nothing (rule 12). Calls made in the same tick share one HTTP request.
 */
export interface Chain {
  readonly network: Network

  /**
   * A well-formed address in its canonical spelling (EIP-55, base58), otherwise `undefined`. A wrong checksum is
   * malformed.
   */
  normalizeAddress(text: string): string | undefined
  /** A well-formed transaction hash in its canonical spelling, otherwise `undefined`. */
  normalizeHash(text: string): string | undefined

  /** The latest and the latest final block. Final means `confirmations` deep, counting the including block. */
  heads(): Promise<Heads>
  /**
   * The first block with this number or a higher one, with all its transactions; `undefined` when the node does not
   * have it (yet). One HTTP call. On EVM chains numbers are consecutive; on Solana they are slots, and some have no
   * block.
   */
  block(number: number): Promise<Block | undefined>
  /** Hash of block 0: distinguishes one development chain from a later one at the same address. */
  genesisHash(): Promise<string>

  /**
   * Token or native balances, in base units and query order, at a block or the latest. One batched read. Solana cannot
   * read past state: there the latest balances are read, and the changes of the blocks since then are undone.
   */
  balances(asked: readonly BalanceQuery[], at?: number): Promise<bigint[]>

  /** The sender state that a plan needs: the next nonce as the node sees it, native coins, fees. */
  senderState(address: string): Promise<SenderState>
  /** Runs the calls in sequence on top of the latest state, without sending anything. */
  simulate(from: string, calls: readonly Call[]): Promise<SimulationResult>
  /** The maximum cost of the calls in native base units, with these gas limits and this sender state. */
  networkFee(gas: readonly bigint[], facts: SenderState): bigint
  /** Unsigned bytes. Pure: everything it needs was read before. */
  encode(plan: TransactionRequest): UnsignedTransaction

  /** Decodes and checks signed bytes against a plan; never sends. Throws TRANSACTION_MISMATCH or VALIDATION_ERROR. */
  checkSigned(text: string, plan: ExpectedTransaction): Promise<SignedTransaction>
  /** Sends committed bytes (rule 5). */
  broadcast(raw: string): Promise<BroadcastResult>
  /** What nodes know of these hashes: one batched call. */
  findTransactions(hashes: readonly string[]): Promise<(ObservedTransaction | undefined)[]>
  /** Transaction counts of these senders at the final block: bytes with a lower nonce have landed or are dead. */
  finalNonces(addresses: readonly string[]): Promise<number[]>
  /** The decoded reason of an included, reverted transaction; `undefined` when the chain cannot provide it. */
  revertReason(transaction: IncludedTransaction): Promise<string | undefined>
}

export interface BlockRef {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  /** By the chain's clock. */
  readonly time: Date
  /** Solana: the number of blocks up to this one, which determines when a blockhash expires. */
  readonly height?: number
}

export interface Heads {
  readonly latest: BlockRef
  readonly final: BlockRef
}

export interface Block extends BlockRef {
  readonly transactions: readonly IncludedTransaction[]
}

/** A transaction in a block, with its outcome. Addresses canonical. */
export type IncludedTransaction = EvmIncludedTransaction | SvmIncludedTransaction

interface IncludedBase {
  readonly hash: string
  readonly blockNumber: number
  readonly succeeded: boolean
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
  /** The failure in the terms of spec 7.4; meaningless for a transaction that succeeded. */
  readonly failureCode: FailureCode
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
  /** Without those that only set the transaction's cost. */
  readonly instructions: readonly SvmInstruction[]
}

export interface ChainLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

export interface BalanceQuery {
  readonly owner: string
  /** A token address, or the native coin. */
  readonly token: string | 'native'
}

export type SenderState = EvmSenderState | SvmSenderState

export interface EvmSenderState {
  readonly family: 'evm'
  /** The chain's count including pending transactions. */
  readonly pendingNonce: number
  readonly latestNonce: number
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
  /** An estimate, from the moment it was read. */
  readonly validForMs: number
}

export type SimulationResult = RentDeposits &
  (
    | { readonly ok: true /** Gas limits to plan with, head room included. */; readonly gas: readonly bigint[] }
    | { readonly ok: false; readonly index: number; readonly reason: string | undefined; readonly code: string }
  )

interface RentDeposits {
  /**
   * Solana: lamports that the sender deposits for accounts that the calls open, on top of the fee; absent elsewhere.
   */
  readonly rentDeposits?: bigint
}

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

/** A transaction that a node knows, pending or included. */
export type ObservedTransaction = (EvmTransactionContent | SvmTransactionContent) & {
  readonly hash: string
  readonly blockNumber: number | undefined
}

/** The chains of one running service, by name. */
export type Chains = ReadonlyMap<string, Chain>

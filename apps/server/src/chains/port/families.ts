import type { Block, BlockRef } from './blocks.ts'
import type { EvmCall, SvmCall } from './calls.ts'
import type { Chain } from './chain.ts'
import type { EvmIncludedTransaction, SvmIncludedTransaction } from './included-transaction.ts'
import type { BlockhashLifetime, EvmSenderState, SvmSenderState } from './sender-state.ts'
import type {
  EvmSignedTransaction,
  ExpectedTransaction,
  SvmSignedTransaction,
  TransactionRequest,
  UnsignedTransaction,
} from './transaction-bytes.ts'

/** One read-only contract call; `abi` and `functionName` as in viem. */
export interface ContractRead {
  readonly address: string
  readonly abi: readonly unknown[]
  readonly functionName: string
  readonly args?: readonly unknown[]
}

/** What EVM venues need beyond the port: batched contract reads at one block. A read that reverts is `undefined`. */
export interface EvmReader {
  multicall(calls: readonly ContractRead[], at?: number): Promise<unknown[]>
  /**
   * The results of the same reads on the state of a block if its time were `time`; this shows the pace of interest that
   * grows every second. `undefined` from a node that cannot simulate another time.
   */
  multicallAtTime(calls: readonly ContractRead[], time: Date, at?: number): Promise<unknown[] | undefined>
}

/** A chain with the capabilities that its own venues, and a development chain's treasury, use. */
export interface EvmChain extends Chain, EvmReader {
  senderState(address: string): Promise<EvmSenderState>
  block(number: number): Promise<EvmBlock | undefined>
  encode(plan: TransactionRequest): EvmUnsignedTransaction
  checkSigned(text: string, plan: ExpectedTransaction): Promise<EvmSignedTransaction>
}

export interface EvmBlock extends Block {
  readonly transactions: readonly EvmIncludedTransaction[]
}

export interface EvmUnsignedTransaction extends UnsignedTransaction {
  readonly nonce: number
  readonly call: EvmCall
}

/** The scope of an activity: only transactions of these wallets and their token accounts are found. */
export interface TrackedAccounts {
  readonly wallets: readonly string[]
  /** The wallets for which transactions of the service may land. */
  readonly senders: readonly string[]
  /** Mints, including those of shares. */
  readonly tokens: readonly string[]
}

/**
 * The activity of known wallets on a cluster whose blocks are too large to be read one by one. It is read account by
 * account; the number of HTTP calls does not grow with the slots that passed.
 *
 * A returned block contains the transactions of the wallets in it, in order: every one that changed one of their token
 * accounts, and every one of the senders'. It omits only transactions that changed an account and changed it back while
 * no returned transaction touched it: those leave nothing to book.
 */
export interface WalletActivity {
  /** Final blocks after one slot, up to another, oldest first. Throws CHAIN_UNAVAILABLE when one is incomplete. */
  finalizedBlocks(tracked: TrackedAccounts, after: number, upTo: number): Promise<SvmBlock[]>
  /** Blocks that are not final and contain transactions of these senders, oldest first. */
  pendingBlocks(senders: readonly string[], after: number): Promise<SvmBlock[]>
}

/** What Solana venues need beyond the port: current accounts, all at one slot. */
export interface SvmReader {
  /**
   * Data of accounts in address order, `undefined` where there is none: the current state, or, when settling block
   * `at`, the last final state. No node serves past states.
   */
  accounts(addresses: readonly string[], at?: number): Promise<(Buffer | undefined)[]>
  /** A block without its transactions; `undefined` when the slot has none, or the node does not have it (yet). */
  header(slot: number): Promise<(BlockRef & { readonly height: number }) | undefined>
  /** For a cluster whose blocks are too large to be read one by one; `undefined` where they are read. */
  readonly walletActivity: WalletActivity | undefined
  /**
   * Signatures among an address's final transactions that carry the memo of one of these transactions, as reported by a
   * node that is at `slot` or further, back to `since`. Anyone can write a memo: the caller must check what they do.
   * Throws CHAIN_UNAVAILABLE when the search cannot be completed.
   */
  findLanded(
    address: string,
    transactionIds: readonly number[],
    asOf: { readonly slot: number; readonly since: Date },
  ): Promise<string[]>
}

export interface SvmChain extends Chain, SvmReader {
  senderState(address: string): Promise<SvmSenderState>
  block(number: number): Promise<SvmBlock | undefined>
  encode(plan: TransactionRequest): SvmUnsignedTransaction
  checkSigned(text: string, plan: ExpectedTransaction): Promise<SvmSignedTransaction>
}

/** The chain as a Solana chain; `undefined` for another family. */
export function asSvmChain(chain: Chain): SvmChain | undefined {
  return chain.network.family === 'svm' ? (chain as SvmChain) : undefined
}

export interface SvmBlock extends Block {
  readonly transactions: readonly SvmIncludedTransaction[]
}

export interface SvmUnsignedTransaction extends UnsignedTransaction {
  readonly call: SvmCall
  readonly lifetime: BlockhashLifetime
}

import type { Block, BlockRef, Heads } from './blocks.ts'
import type { Call } from './calls.ts'
import type { ChainCapabilities } from './capabilities.ts'
import type { IncludedTransaction, ObservedTransaction } from './included-transaction.ts'
import type { Network } from './networks.ts'
import type { SenderState } from './sender-state.ts'
import type {
  BroadcastResult,
  ExpectedTransaction,
  SignedTransaction,
  TransactionRequest,
  UnsignedTransaction,
} from './transaction-bytes.ts'
import type { WalletActivity } from './wallet-activity.ts'

/**
 * The Chain port: everything Weir needs from a blockchain, in the terms of operations. Adapters are in `evm/` and
 * `solana/`; nothing outside them uses a client library.
 *
 * Every method that calls the chain throws `Failure('CHAIN_UNAVAILABLE')` when no endpoint responds, and changes
 * nothing (rule 12). Calls made in the same tick share one HTTP request.
 */
export interface Chain extends ChainCapabilities {
  readonly network: Network
  /**
   * Whether no endpoint has responded recently, several times in a row, so that the next call would probably wait for
   * its time-out. Work on several chains leaves this one out; calls are still tried.
   */
  isResting(): boolean

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
  /**
   * A block without its transactions; `undefined` when there is none with this number, or the node does not have it
   * (yet).
   */
  header(number: number): Promise<BlockRef | undefined>
  /**
   * Whether a final block with a higher number follows one with a lower number, so that none has this number. Never where
   * numbers are consecutive. A node that only lacks the block proves nothing.
   */
  isSkipped(number: number): Promise<boolean>
  /** Where blocks are too large to be read one by one; `undefined` where they are read. */
  readonly walletActivity: WalletActivity | undefined
  /** Hash of block 0: distinguishes one development chain from a later one at the same address. */
  genesisHash(): Promise<string>

  /**
   * Token or native balances, in base units and query order, at a block or the latest. One batched read. Solana cannot
   * read past state: there the latest balances are read, and the changes of the blocks since then are undone.
   *
   * With `atLeast`, the latest balances of a node that has that block or a later one; a node that lags behind it counts
   * as unavailable.
   */
  balances(asked: readonly BalanceQuery[], at?: number, atLeast?: number): Promise<bigint[]>

  /** The sender state that a plan needs: the next nonce as the node sees it, native coins, fees. */
  senderState(address: string): Promise<SenderState>
  /** Runs the calls in sequence on top of the latest state, without sending anything. */
  simulate(from: string, calls: readonly Call[]): Promise<SimulationResult>
  /** Unsigned bytes. Pure: everything it needs was read before. */
  encode(plan: TransactionRequest): UnsignedTransaction

  /** Decodes and checks signed bytes against a plan; never sends. Throws TRANSACTION_MISMATCH or VALIDATION_ERROR. */
  checkSigned(text: string, plan: ExpectedTransaction): Promise<SignedTransaction>
  /**
   * Sends committed bytes (rule 5). With blockhashes, `lastValidBlockHeight` decides whether bytes that a node does not
   * take are stale; without it, a node that has the last final block does.
   */
  broadcast(raw: string, lastValidBlockHeight?: number | null): Promise<BroadcastResult>
  /** What nodes know of these hashes: one batched call. */
  findTransactions(hashes: readonly string[]): Promise<(ObservedTransaction | undefined)[]>
  /**
   * Only with nonces: transaction counts of these senders at the final block. Bytes with a lower nonce have landed or
   * are dead.
   */
  finalNonces(addresses: readonly string[]): Promise<number[]>
  /**
   * Only with blockhashes: hashes among an address's final transactions that carry the memo of one of these
   * transactions, as reported by a node that has the block of `slot`, back to `since`; and those of `sent` that a node
   * has seen in a block, even if the address's list lacks them. Anyone can write a memo: the caller must check what they
   * do. One call reads a bounded part of a long list, newest first; the next one continues. Throws CHAIN_UNAVAILABLE
   * when the search cannot be completed.
   */
  findLanded(address: string, transactionIds: readonly number[], asOf: LandedQuery): Promise<LandedSearch>
  /** The decoded reason of an included, reverted transaction; `undefined` when no node provides it. It never fails. */
  revertReason(transaction: IncludedTransaction): Promise<string | undefined>
}

export interface LandedQuery {
  /** A final block. */
  readonly slot: number
  readonly since: Date
  /** Known hashes of the transactions. */
  readonly sent: readonly string[]
  /** Where an earlier call ended; its other parameters must be the same. */
  readonly continueBefore?: string
}

export interface LandedSearch {
  readonly hashes: readonly string[]
  /** Set while there is more to search. Until the last call, nothing may be concluded from a missing hash. */
  readonly continueBefore?: string
}

export interface BalanceQuery {
  readonly owner: string
  /** A token address, or the native coin. */
  readonly token: string | 'native'
}

export type SimulationResult = RentDeposits &
  (
    | {
        readonly ok: true
        /** Gas limits to plan with, head room included. */
        readonly gas: readonly bigint[]
        /** What each call returned, where that is one unsigned integer; absent: the node does not say. */
        readonly returned?: readonly (bigint | undefined)[]
      }
    | { readonly ok: false; readonly index: number; readonly reason: string | undefined; readonly code: string }
  )

interface RentDeposits {
  /**
   * Solana: lamports that the sender deposits for accounts that the calls open, on top of the fee; absent elsewhere.
   */
  readonly rentDeposits?: bigint
}

/** The chains of one running service, by name. */
export type Chains = ReadonlyMap<string, Chain>

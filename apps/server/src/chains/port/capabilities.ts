import type { IncludedTransaction, IncludedTransfer, ObservedTransaction } from './included-transaction.ts'
import type { SenderState } from './sender-state.ts'
import type { SignedTransaction } from './transaction-bytes.ts'

/**
 * What keeps a transaction from landing twice. `nonce`: each sender counts its transactions, and a block takes each
 * number once. `blockhash`: bytes name a recent block and expire with it; nothing else rules them out.
 */
export type ReplayProtection = 'nonce' | 'blockhash'

/** Unsigned bytes that were issued and not submitted. */
export interface UnsentBytes {
  readonly unsignedBytes: string
  readonly nonce: number | null
  readonly lastValidBlockHeight: number | null
}

/**
 * Whether unsent bytes can land. `underpriced`: only at higher fees. `expired`: their nonce was used or their blockhash
 * is too old; only final blocks show whether they landed.
 */
export type BytesValidity = 'valid' | 'underpriced' | 'expired'

/** The fields of unsigned bytes, for wallets that take fields instead of bytes. */
export interface UnsignedFields {
  readonly to: string
  readonly data: string
  /** Native base units, like the fees. */
  readonly value: bigint
  readonly gasLimit: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly nonce: number
  readonly chainId: number
}

/**
 * How chains differ, in the terms of the rooms above: facts, and functions that need no node. Rooms read these instead
 * of the family; each adapter implements them for its family.
 */
export interface ChainCapabilities {
  /** Decimals of the native coin, whose base units are wei or lamports. */
  readonly nativeDecimals: number
  readonly replayProtection: ReplayProtection
  /** Whether a protocol takes tokens only after an approval (rule 9). */
  readonly needsApprovals: boolean
  /** What a wallet's first account for a token locks, in native base units; 0 where tokens need no account. */
  readonly tokenAccountRent: bigint
  /** Whether nodes keep a transaction that is in no block yet. If not, the caller sends it repeatedly. */
  readonly keepsPending: boolean
  /** Whether nodes return any balance at a past block. If not, only the balances that the block changed are known. */
  readonly readsPastBalances: boolean
  /** Whether there are several blocks a second: too many to read something at each. */
  readonly hasFrequentBlocks: boolean
  /** The maximum cost of transactions with these gas limits and this sender state, in native base units. */
  networkFee(gas: readonly bigint[], senderState: SenderState): bigint
  bytesValidity(bytes: UnsentBytes, senderState: SenderState): BytesValidity
  /** The gas limit, or compute units, of bytes that this service built. */
  gasLimitOf(unsignedBytes: string): bigint
  /** The fields of bytes that this service built; `undefined` where wallets take bytes only. */
  unsignedFields(unsignedBytes: string): UnsignedFields | undefined
  /**
   * The sender state with the fees of a replacement for pending bytes: at least a tenth above theirs, and those of new
   * bytes. `undefined`: its fees would exceed the ceiling, or bytes cannot be replaced.
   */
  replacementFees(unsignedBytes: string, senderState: SenderState): SenderState | undefined
  /** Whether nodes accept the signed transaction in place of a pending one with the same nonce, Weir's own or one that a node returned. */
  canReplace(replacement: SignedTransaction, pending: SignedTransaction | ObservedTransaction): boolean
  /** Whether the key of an address signed a text that is no transaction. False for a malformed signature. */
  isSignedBy(message: string, signature: string, address: string): Promise<boolean>
  /** The token transfers of an included transaction, in order: of all tokens, or of these. */
  transfers(transaction: IncludedTransaction, tokens?: ReadonlySet<string>): IncludedTransfer[]
}

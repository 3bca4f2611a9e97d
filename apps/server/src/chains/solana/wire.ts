import { getSignatureFromTransaction } from '@solana/transactions'
import type { BlockRef } from '../port/blocks.ts'
import type { SvmIncludedTransaction, TokenChange } from '../port/included-transaction.ts'
import { integerFrom, safeIntegerFrom, timeFrom } from '../rpc/integer-from.ts'
import { requestRejected } from '../rpc/rpc.ts'
import { decodeTransactionError } from './errors/transaction-errors.ts'
import { computeUnitLimit, withoutComputeBudget } from './transactions/compute-budget.ts'
import { type DecodedMessage, decodeMessage, decodeTransaction } from './transactions/message.ts'

/** The fields of JSON-RPC responses that are read. */
export interface SolanaWireBlock {
  readonly blockhash: string
  readonly previousBlockhash: string
  readonly parentSlot: number
  readonly blockHeight: number | null
  /** Unix seconds. */
  readonly blockTime: number | null
  readonly transactions?: readonly SolanaWireTransaction[]
  /** In block order, where only signatures were requested. */
  readonly signatures?: readonly string[]
}

export interface SolanaWireTransaction {
  /** Set when the transaction was requested individually. */
  readonly slot?: number
  readonly transaction: readonly [bytes: string, encoding: 'base64']
  readonly meta: WireMeta | null
}

export interface WireMeta {
  readonly err: unknown
  readonly computeUnitsConsumed?: number
  readonly preBalances: readonly number[]
  readonly postBalances: readonly number[]
  readonly preTokenBalances?: readonly WireTokenBalance[] | null
  readonly postTokenBalances?: readonly WireTokenBalance[] | null
  readonly logMessages?: readonly string[] | null
  readonly loadedAddresses?: { readonly writable: readonly string[]; readonly readonly: readonly string[] }
}

interface WireTokenBalance {
  readonly accountIndex: number
  readonly mint: string
  readonly owner?: string
  readonly uiTokenAmount: { readonly amount: string }
}

/** Error: CHAIN_UNAVAILABLE, even while the node does not know the block's time or height: no date is made up. */
export function toBlockRef(slot: number, block: SolanaWireBlock): BlockRef & { readonly height: number } {
  const { time, height } = toBlockAge(block)
  if (time === undefined) throw requestRejected('blockTime', `the node does not know the time of slot ${slot}`)
  if (height === undefined) throw requestRejected('blockHeight', `the node does not know the height of slot ${slot}`)
  return { number: slot, hash: block.blockhash, parentHash: block.previousBlockhash, time, height }
}

/** What the node knows of a block's time and height. */
export interface BlockAge {
  readonly time: Date | undefined
  readonly height: number | undefined
}

export function toBlockAge({ blockTime, blockHeight }: SolanaWireBlock): BlockAge {
  return {
    time: blockTime === null ? undefined : timeFrom('blockTime', blockTime),
    height: blockHeight === null ? undefined : safeIntegerFrom('blockHeight', blockHeight),
  }
}

/** The failure code does not depend on a program's own descriptions. */
const NO_PROGRAM_ERRORS = new Map()

/** A message of an unknown version: it cannot be ours. */
const UNREADABLE: DecodedMessage = {
  version: 'legacy',
  blockhash: '',
  accounts: [],
  signers: 0,
  hasLookups: false,
  instructions: [],
}

/**
 * A transaction with its outcome; `undefined` when its bytes cannot be decoded. Its message is decoded lazily: of a
 * block's thousands of transactions, few are ours or move tokens.
 */
export function toIncluded(
  slot: number,
  { transaction: [bytes], meta }: SolanaWireTransaction,
): SvmIncludedTransaction | undefined {
  const transaction = tryDecode(() => decodeTransaction(bytes))
  if (!transaction || meta === null) return undefined
  const loaded = [...(meta.loadedAddresses?.writable ?? []), ...(meta.loadedAddresses?.readonly ?? [])]
  const message = memoize(() => tryDecode(() => decodeMessage(transaction.messageBytes, loaded)) ?? UNREADABLE)
  const instructions = memoize(() => withoutComputeBudget(message().instructions))
  const tokens = memoize(() => tokenChanges(meta, message().accounts))
  const gasUsed = integerFrom('computeUnitsConsumed', meta.computeUnitsConsumed ?? 0)
  return {
    family: 'svm',
    hash: getSignatureFromTransaction(transaction),
    blockNumber: slot,
    sender: Object.keys(transaction.signatures)[0]!,
    nonce: null,
    succeeded: meta.err === null,
    gasUsed,
    get gasLimit() {
      return computeUnitLimit(message().instructions)
    },
    get instructions() {
      return instructions()
    },
    get tokens() {
      return tokens()
    },
    error: meta.err,
    get failureCode() {
      if (meta.err === null) return undefined
      const isOutOfUnits = gasUsed >= computeUnitLimit(message().instructions)
      return isOutOfUnits
        ? 'OUT_OF_GAS'
        : decodeTransactionError(meta.err, meta.logMessages ?? [], NO_PROGRAM_ERRORS).code
    },
    programLogs: meta.logMessages ?? [],
  }
}

function tokenChanges(meta: WireMeta, accounts: readonly string[]): TokenChange[] {
  const changes = new Map<number, TokenChange>()
  const apply = (balances: WireMeta['preTokenBalances'], side: 'before' | 'after') => {
    for (const { accountIndex, mint, owner = '', uiTokenAmount } of balances ?? []) {
      const account = accounts[accountIndex] ?? ''
      const existing = changes.get(accountIndex) ?? { account, owner, token: mint, before: 0n, after: 0n }
      changes.set(accountIndex, { ...existing, [side]: integerFrom('uiTokenAmount', uiTokenAmount.amount) })
    }
  }
  // An account opened by the transaction is missing before, a closed one is missing after: its balance is zero.
  apply(meta.preTokenBalances, 'before')
  apply(meta.postTokenBalances, 'after')
  return [...changes.values()]
}

function memoize<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Bytes of a version newer than this code throw, and so do malformed ones. */
function tryDecode<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

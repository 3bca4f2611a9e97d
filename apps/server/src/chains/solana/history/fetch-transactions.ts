import type { SvmBlock } from '../../port/families.ts'
import type { SvmIncludedTransaction } from '../../port/included-transaction.ts'
import { FOUND, requestRejected } from '../../rpc/rpc.ts'
import { MAX_SUPPORTED_TRANSACTION_VERSION } from '../caches/block-cache.ts'
import { type Commitment, FINALIZED, type SolanaContext } from '../context.ts'
import { type SolanaWireTransaction, toIncluded } from '../wire.ts'
import { inBatches } from './in-batches.ts'
import type { SignatureInfo } from './signatures.ts'

/** Transactions that nodes list. */
export interface ListedTransactions {
  /** Without unreadable ones, as in a block. */
  readonly transactions: readonly SvmIncludedTransaction[]
  /** Signatures that no node has the transaction of. */
  readonly missing: readonly string[]
}

/** The transactions of these mentions. One HTTP call per hundred; one for each further node while some are missing. */
export async function fetchListed(
  parts: Pick<SolanaContext, 'rpc'>,
  mentions: readonly SignatureInfo[],
  commitment: Commitment,
): Promise<ListedTransactions> {
  const wires = await inBatches(mentions, ({ signature }) => readTransaction(parts, signature, commitment))
  return {
    transactions: wires.flatMap((wire, index) => (wire && toIncluded(mentions[index]!.slot, wire)) ?? []),
    missing: mentions.flatMap(({ signature }, index) => (wires[index] === null ? [signature] : [])),
  }
}

/** The same. Throws CHAIN_UNAVAILABLE when no node has one of them. */
export async function fetchTransactions(
  parts: Pick<SolanaContext, 'rpc'>,
  mentions: readonly SignatureInfo[],
  commitment: Commitment,
): Promise<readonly SvmIncludedTransaction[]> {
  const { transactions, missing } = await fetchListed(parts, mentions, commitment)
  if (missing.length > 0) throw requestRejected('getTransaction', `${missing[0]} is missing`)
  return transactions
}

/** A transaction as the first node sends it that has it; `null`: none has. */
export async function readTransaction(
  { rpc }: Pick<SolanaContext, 'rpc'>,
  signature: string,
  commitment: Commitment,
): Promise<SolanaWireTransaction | null> {
  const response = await rpc.tryRequest('getTransaction', [signature, optionsFor(commitment)], FOUND)
  if (!response.ok) throw requestRejected('getTransaction', response.error.message)
  return response.result as SolanaWireTransaction | null
}

/** A listed transaction; `undefined` if no node has it, or it is unreadable. */
export async function findTransaction(
  parts: Pick<SolanaContext, 'rpc'>,
  { signature, slot }: Pick<SignatureInfo, 'signature' | 'slot'>,
): Promise<SvmIncludedTransaction | undefined> {
  const wire = await readTransaction(parts, signature, FINALIZED)
  return wire === null ? undefined : toIncluded(slot, wire)
}

/** What a transaction left in an account; `undefined` if the node does not have it, or it says nothing about it. */
export async function fetchBalanceAfter(
  parts: Pick<SolanaContext, 'rpc'>,
  mention: SignatureInfo,
  account: string,
): Promise<bigint | undefined> {
  const found = await findTransaction(parts, mention)
  return found?.tokens.find((change) => change.account === account)?.after
}

/**
 * Groups transactions into their blocks, oldest first; where a block contains several, reads their order. One HTTP call
 * per hundred blocks.
 */
export async function fetchBlocksOf(
  { blocks }: Pick<SolanaContext, 'blocks'>,
  transactions: readonly SvmIncludedTransaction[],
): Promise<SvmBlock[]> {
  const bySlot = Map.groupBy(transactions, ({ blockNumber }) => blockNumber)
  const slots = [...bySlot].sort(([one], [other]) => one - other)
  return inBatches(slots, async ([slot, blockTransactions]) => {
    const together = blockTransactions.length > 1 ? await blocks.signatures(slot) : undefined
    const header = blockTransactions.length > 1 ? together : await blocks.header(slot)
    if (!header) throw requestRejected('getBlock', `there is no block in slot ${slot}`)
    const position = new Map(together?.order.map((hash, index) => [hash, index]))
    const { number, hash, parentHash, time, height } = header
    const ordered = blockTransactions.toSorted((a, b) => (position.get(a.hash) ?? 0) - (position.get(b.hash) ?? 0))
    return { number, hash, parentHash, time, height, transactions: ordered }
  })
}

const optionsFor = (commitment: Commitment) => ({
  commitment,
  encoding: 'base64',
  maxSupportedTransactionVersion: MAX_SUPPORTED_TRANSACTION_VERSION,
})

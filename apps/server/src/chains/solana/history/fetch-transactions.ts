import type { SvmBlock } from '../../port/families.ts'
import type { SvmIncludedTransaction } from '../../port/included-transaction.ts'
import { requestRejected } from '../../rpc/rpc.ts'
import { MAX_SUPPORTED_TRANSACTION_VERSION } from '../caches/block-cache.ts'
import { type Commitment, FINALIZED, type SolanaContext } from '../context.ts'
import { type SolanaWireTransaction, toIncluded } from '../wire.ts'
import { inBatches } from './in-batches.ts'
import type { SignatureInfo } from './signatures.ts'

/**
 * The transactions of these mentions; unreadable ones are omitted, as from a block. Throws CHAIN_UNAVAILABLE when the
 * node that listed one does not have it. One HTTP call per hundred.
 */
export async function fetchTransactions(
  { rpc }: Pick<SolanaContext, 'rpc'>,
  mentions: readonly SignatureInfo[],
  commitment: Commitment,
): Promise<SvmIncludedTransaction[]> {
  const options = optionsFor(commitment)
  const found = await inBatches(mentions, async ({ signature, slot }) => {
    const wire = await rpc.request<SolanaWireTransaction | null>('getTransaction', [signature, options])
    if (wire === null) throw requestRejected('getTransaction', `${signature} is missing`)
    return toIncluded(slot, wire)
  })
  return found.flatMap((transaction) => transaction ?? [])
}

/** A listed transaction; `undefined` if the node does not have it, or it is unreadable. */
export async function findTransaction(
  { rpc }: Pick<SolanaContext, 'rpc'>,
  { signature, slot }: Pick<SignatureInfo, 'signature' | 'slot'>,
): Promise<SvmIncludedTransaction | undefined> {
  const wire = await rpc.request<SolanaWireTransaction | null>('getTransaction', [signature, optionsFor(FINALIZED)])
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

import type { SvmBlock } from '../families.ts'
import type { SvmIncluded } from '../port.ts'
import { refused } from '../rpc/rpc.ts'
import { VERSIONS } from './blocks.ts'
import type { Commitment, SolanaContext } from './context.ts'
import { inParts } from './in-parts.ts'
import type { Mention } from './signatures.ts'
import { toIncluded, type WireTransaction } from './wire.ts'

/**
 * The transactions of these mentions; what cannot be read is left out, as from a block. Throws CHAIN_UNAVAILABLE when
 * the node that listed one does not have it. One HTTP call per hundred.
 */
export async function transactionsOf(
  { rpc }: Pick<SolanaContext, 'rpc'>,
  mentions: readonly Mention[],
  commitment: Commitment,
): Promise<SvmIncluded[]> {
  const options = { commitment, encoding: 'base64', maxSupportedTransactionVersion: VERSIONS }
  const found = await inParts(mentions, async ({ signature, slot }) => {
    const wire = await rpc.request<WireTransaction | null>('getTransaction', [signature, options])
    if (wire === null) throw refused('getTransaction', `${signature} is not there`)
    return toIncluded(slot, wire)
  })
  return found.flatMap((transaction) => transaction ?? [])
}

/**
 * Transactions as the blocks that they are in, oldest block first; where one holds several, it is asked for their order.
 * One HTTP call per hundred blocks.
 */
export async function blocksOf(
  { blocks }: Pick<SolanaContext, 'blocks'>,
  transactions: readonly SvmIncluded[],
): Promise<SvmBlock[]> {
  const bySlot = Map.groupBy(transactions, ({ blockNumber }) => blockNumber)
  const slots = [...bySlot].sort(([one], [other]) => one - other)
  return inParts(slots, async ([slot, own]) => {
    const together = own.length > 1 ? await blocks.signatures(slot) : undefined
    const header = own.length > 1 ? together : await blocks.header(slot)
    if (!header) throw refused('getBlock', `there is no block in slot ${slot}`)
    const place = new Map(together?.order.map((hash, index) => [hash, index]))
    const { number, hash, parentHash, time, height } = header
    const ordered = own.toSorted((a, b) => (place.get(a.hash) ?? 0) - (place.get(b.hash) ?? 0))
    return { number, hash, parentHash, time, height, transactions: ordered }
  })
}

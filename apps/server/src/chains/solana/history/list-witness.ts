import { SOLANA_WITNESS_SLOTS_BACK, SOLANA_WITNESSES_READ } from '../../../kernel/index.ts'
import { requestRejected } from '../../rpc/rpc.ts'
import { VOTE_PROGRAM } from '../addresses/programs.ts'
import type { ListWitness, SolanaContext } from '../context.ts'
import { findTransaction } from './fetch-transactions.ts'
import { inBatches } from './in-batches.ts'

/**
 * An address that a final block mentions: the lists of a node have reached that block once they name a transaction of the
 * address there or later. A node's slot and its blocks say nothing about its lists, which are written apart from them.
 *
 * The block is a few slots older than `slot`, because lists are late by some. `undefined` if none of these blocks has a
 * transaction, as on a chain of our own. Throws CHAIN_UNAVAILABLE for a node that lacks their content.
 */
export function createListWitnesses(parts: Pick<SolanaContext, 'rpc' | 'blocks'>): SolanaContext['listWitness'] {
  let last: { readonly slot: number; readonly witness: ListWitness | undefined } | undefined
  return async (slot) => {
    if (last?.slot !== slot) last = { slot, witness: await findWitness(parts, slot) }
    return last.witness
  }
}

async function findWitness(
  { rpc, blocks }: Pick<SolanaContext, 'rpc' | 'blocks'>,
  upTo: number,
): Promise<ListWitness | undefined> {
  for (let slot = Math.max(0, upTo - SOLANA_WITNESS_SLOTS_BACK); slot <= upTo; slot += 1) {
    const block = await blocks.signatures(slot)
    if (!block || block.order.length === 0) continue
    const signatures = block.order.slice(-SOLANA_WITNESSES_READ)
    const found = await inBatches(signatures, (signature) => findTransaction({ rpc }, { signature, slot }))
    const readable = found.flatMap((transaction) => transaction ?? [])
    // Some providers do not list votes.
    const isVote = ({ instructions }: (typeof readable)[number]) =>
      instructions.some(({ program }) => program === VOTE_PROGRAM)
    const witness = readable.findLast((transaction) => !isVote(transaction)) ?? readable.at(-1)
    if (!witness) throw requestRejected('getTransaction', `the node lacks the transactions of slot ${slot}`)
    return { address: witness.sender, slot }
  }
  return undefined
}

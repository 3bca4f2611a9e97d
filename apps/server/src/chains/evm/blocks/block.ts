import type { BlockRef } from '../../port/blocks.ts'
import type { EvmBlock } from '../../port/families.ts'
import { decodeResult } from '../../rpc/decode-result.ts'
import { requestRejected } from '../../rpc/rpc.ts'
import type { EvmContext } from '../context.ts'
import { type EvmWireBlock, quantity, toBlockRef, toIncluded, type WireHeader, type WireReceipt } from '../wire.ts'
import { completeReceipts, findReceipts, lacksReceipts, RECEIPTS } from './receipts.ts'

const BLOCK = 'eth_getBlockByNumber'

/**
 * One block with transactions, receipts and logs, in one HTTP call, or more where nodes lack eth_getBlockReceipts or some
 * receipts. `undefined` when the node does not have the block, not yet all of its receipts, or those of another block after
 * a reorganization; the follower then reads it again. Error: CHAIN_UNAVAILABLE, even when no node has all receipts of a
 * block for some seconds.
 */
export async function block(context: EvmContext, number: number): Promise<EvmBlock | undefined> {
  const { lateReceipts } = context
  const [wire, { receipts: found, problem }] = await Promise.all([
    context.rpc.request<EvmWireBlock | null>(BLOCK, [quantity(number), true]),
    findReceipts(context, number),
  ])
  if (wire === null) return undefined
  decodeResult(BLOCK, () => checkTransactions(wire))
  if (found && lacksReceipts(context, wire, found) && !lateReceipts.isOverdue(wire.hash)) return undefined
  const receipts = await completeReceipts(context, wire, found ?? [])
  const joined = decodeResult(RECEIPTS, () => join(wire, receipts))
  if (joined) return joined
  const current = await header(context, number)
  if (current?.hash !== wire.hash?.toLowerCase() || !lateReceipts.isOverdue(wire.hash)) return undefined
  // Reading the same block again finds nothing new: without an error, the follower would wait in silence.
  const reason = problem === undefined ? '' : `: ${problem}`
  throw requestRejected(RECEIPTS, `block ${number} has no complete receipts${reason}`)
}

/** A block without its transactions, in one HTTP call; `undefined` when the node does not have it. */
export async function header({ rpc }: EvmContext, number: number): Promise<BlockRef | undefined> {
  const wire = await rpc.request<WireHeader | null>(BLOCK, [quantity(number), false])
  return wire === null ? undefined : toBlockRef(wire)
}

function checkTransactions({ transactions }: EvmWireBlock): void {
  for (const { hash } of transactions) if (typeof hash !== 'string') throw new Error('a transaction without a hash')
}

function join(wire: EvmWireBlock, receipts: ReadonlyMap<string, WireReceipt>): EvmBlock | undefined {
  const ref = toBlockRef(wire)
  const transactions = []
  for (const transaction of wire.transactions) {
    const receipt = receipts.get(transaction.hash)
    if (!receipt) return undefined
    transactions.push(toIncluded(transaction, receipt, ref.number))
  }
  return { ...ref, transactions }
}

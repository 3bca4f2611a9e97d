import type { BlockRef } from '../port/blocks.ts'
import type { EvmBlock } from '../port/families.ts'
import { decodeResult } from '../rpc/decode-result.ts'
import { isUnsupportedMethod } from '../rpc/node-faults.ts'
import { requestRejected } from '../rpc/rpc.ts'
import type { EvmContext } from './context.ts'
import { type EvmWireBlock, quantity, toBlockRef, toIncluded, type WireHeader, type WireReceipt } from './wire.ts'

const RECEIPTS = 'eth_getBlockReceipts'

/**
 * One block with transactions, receipts and logs, in one HTTP call, or two where nodes lack eth_getBlockReceipts.
 * `undefined` when the node does not have the block, or when a reorganization happened between the block and its
 * receipts; the follower then reads it again.
 */
export async function block(context: EvmContext, number: number): Promise<EvmBlock | undefined> {
  const { rpc, unsupportedMethods } = context
  const wholeBlock = rpc.request<EvmWireBlock | null>('eth_getBlockByNumber', [quantity(number), true])
  if (!unsupportedMethods.has(RECEIPTS)) {
    const [wire, receipts] = await Promise.all([wholeBlock, rpc.tryRequest(RECEIPTS, [quantity(number)])])
    if (wire === null) return undefined
    if (receipts.ok) return join(wire, (receipts.result ?? []) as WireReceipt[])
    if (!isUnsupportedMethod(receipts.error)) throw requestRejected(RECEIPTS, receipts.error.message)
    unsupportedMethods.add(RECEIPTS)
    return join(wire, await receiptsOneByOne(context, wire))
  }
  const wire = await wholeBlock
  return wire === null ? undefined : join(wire, await receiptsOneByOne(context, wire))
}

/** A block without its transactions, in one HTTP call; `undefined` when the node does not have it. */
export async function header({ rpc }: EvmContext, number: number): Promise<BlockRef | undefined> {
  const wire = await rpc.request<WireHeader | null>('eth_getBlockByNumber', [quantity(number), false])
  return wire === null ? undefined : toBlockRef(wire)
}

async function receiptsOneByOne({ rpc }: EvmContext, wire: EvmWireBlock): Promise<WireReceipt[]> {
  const receipts = await Promise.all(
    wire.transactions.map(({ hash }) => rpc.request<WireReceipt | null>('eth_getTransactionReceipt', [hash])),
  )
  return receipts.filter((receipt) => receipt !== null)
}

function join(wire: EvmWireBlock, receipts: readonly WireReceipt[]): EvmBlock | undefined {
  return decodeResult(RECEIPTS, () => joined(wire, receipts))
}

function joined(wire: EvmWireBlock, receipts: readonly WireReceipt[]): EvmBlock | undefined {
  const ofThisBlock = receipts.filter((receipt) => receipt.blockHash === wire.hash)
  const byHash = new Map(ofThisBlock.map((receipt) => [receipt.transactionHash, receipt]))
  const ref = toBlockRef(wire)
  const transactions = []
  for (const transaction of wire.transactions) {
    const receipt = byHash.get(transaction.hash)
    if (!receipt) return undefined
    transactions.push(toIncluded(transaction, receipt, ref.number))
  }
  return { ...ref, transactions }
}

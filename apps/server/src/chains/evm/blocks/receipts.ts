import { RPC_SINGLE_RECEIPTS_MAX } from '../../../kernel/index.ts'
import type { RpcResponse } from '../../rpc/endpoint.ts'
import { isUnsupportedMethod } from '../../rpc/node-faults.ts'
import type { EvmContext } from '../context.ts'
import { type EvmWireBlock, type EvmWireTransaction, quantity, type WireReceipt } from '../wire.ts'

export const RECEIPTS = 'eth_getBlockReceipts'

/** The receipts of a block in one answer, as far as a node has them. */
interface FoundReceipts {
  /** `undefined` if no node served the call. */
  readonly receipts: readonly unknown[] | undefined
  /** What the nodes said then. */
  readonly problem?: string
}

/** Asks for a block's receipts all at once. */
export async function findReceipts(
  { rpc, unsupportedMethods }: EvmContext,
  blockNumber: number,
): Promise<FoundReceipts> {
  if (unsupportedMethods.has(RECEIPTS)) return { receipts: undefined }
  const response = await rpc.tryRequest(RECEIPTS, [quantity(blockNumber)], {
    isServable: true,
    isServed: (one) => one.ok || isUnsupportedMethod(one.error),
  })
  if (response.ok) return { receipts: Array.isArray(response.result) ? response.result : [] }
  if (isUnsupportedMethod(response.error)) unsupportedMethods.add(RECEIPTS)
  return { receipts: undefined, problem: response.error.message }
}

/** Whether receipts are missing among those found, other than the one that healthy nodes lack too. */
export function lacksReceipts(context: EvmContext, wire: EvmWireBlock, found: readonly unknown[]): boolean {
  const hashes = new Set(found.flatMap((receipt) => (isReceiptIn(wire, receipt) ? [receipt.transactionHash] : [])))
  return wire.transactions.some(
    (transaction) => !hashes.has(transaction.hash) && !isStateSync(context, wire, transaction),
  )
}

/**
 * The receipts of a block's transactions, by hash: of those that were found, the ones that are theirs, and each other one
 * by itself from any node that has it. One that no node has is missing.
 */
export async function completeReceipts(
  context: EvmContext,
  wire: EvmWireBlock,
  found: readonly unknown[],
): Promise<ReadonlyMap<string, WireReceipt>> {
  const own = found.filter((receipt) => isReceiptIn(wire, receipt))
  const receipts = new Map(own.map((receipt) => [receipt.transactionHash, receipt]))
  const missing = wire.transactions.filter(({ hash }) => !receipts.has(hash))
  const read = await Promise.all(missing.map((transaction) => readReceipt(context, wire, transaction)))
  for (const receipt of read) if (receipt) receipts.set(receipt.transactionHash, receipt)
  // One node answers for all calls of a tick: each receipt by itself finds the node that has it. One alone was by itself.
  const apart = missing.length > 1 ? missing.filter(({ hash }) => !receipts.has(hash)) : []
  for (const transaction of apart.slice(0, RPC_SINGLE_RECEIPTS_MAX)) {
    const receipt = await readReceipt(context, wire, transaction)
    if (receipt) receipts.set(receipt.transactionHash, receipt)
  }
  const last = wire.transactions.at(-1)
  if (last !== undefined && !receipts.has(last.hash) && isStateSync(context, wire, last)) {
    const hashes = new Set(wire.transactions.map(({ hash }) => hash))
    // Some nodes compute its hash in two ways, and have its receipt under the other one.
    const logs = own.find(({ transactionHash }) => !hashes.has(transactionHash))?.logs ?? []
    receipts.set(last.hash, { transactionHash: last.hash, blockHash: '', status: '0x1', gasUsed: '0x0', logs })
  }
  return receipts
}

async function readReceipt(
  context: EvmContext,
  wire: EvmWireBlock,
  transaction: EvmWireTransaction,
): Promise<WireReceipt | undefined> {
  const { hash } = transaction
  const receiptIn = (response: RpcResponse) => {
    const result = response.ok ? response.result : undefined
    return isReceiptIn(wire, result) && result.transactionHash === hash ? result : undefined
  }
  const response = await context.rpc.tryRequest('eth_getTransactionReceipt', [hash], {
    // A node that is a moment behind lacks it as well, and is healthy.
    isServable: false,
    isServed: (one) => receiptIn(one) !== undefined,
  })
  return receiptIn(response)
}

function isReceiptIn({ hash }: EvmWireBlock, receipt: unknown): receipt is WireReceipt {
  const { blockHash, logs } = (receipt ?? {}) as Partial<WireReceipt>
  return blockHash === hash && Array.isArray(logs)
}

/**
 * Whether it is the pseudo-transaction with which Polygon ends a block to bring in what its bridge carries: without a
 * signature, and of its own type or from the zero address.
 */
function isStateSync(
  { network }: EvmContext,
  { transactions }: EvmWireBlock,
  transaction: EvmWireTransaction,
): boolean {
  if (network.blockchain !== 'polygon' || transaction !== transactions.at(-1)) return false
  const { type, from, r = '0x', s = '0x' } = transaction
  return type === '0x7f' || [from, r, s].every((part) => /^0x0*$/.test(part))
}

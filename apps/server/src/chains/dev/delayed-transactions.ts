import type { DecodedTransaction } from '../evm/transactions/decode-signed.ts'
import { quantity } from '../evm/wire.ts'

/** A transaction that `delay_next` withholds from the node: known, pending, and in no block before `releaseAt`. */
export interface DelayedTransaction {
  readonly content: DecodedTransaction
  readonly releaseAt: number
}

/** The delayed transactions, by signer and nonce as in a node's own pool. In memory only: a restart drops them. */
export interface DelayedTransactions {
  readonly size: number
  byHash(hash: string): DelayedTransaction | undefined
  bySenderNonce(sender: string, nonce: number): DelayedTransaction | undefined
  add(delayed: DelayedTransaction): void
  remove(delayed: DelayedTransaction): void
  /** The transactions due at this head, in nonce order. */
  due(head: number): DelayedTransaction[]
  /**
   * Corrects the pending count of an address, which the node underreports because it does not know these transactions.
   */
  pendingCount(address: string, count: number): number
}

export function createDelayedTransactions(): DelayedTransactions {
  const bySlot = new Map<string, DelayedTransaction>()
  const slot = (sender: string, nonce: number) => `${sender.toLowerCase()}/${nonce}`
  const slotOf = ({ content }: DelayedTransaction) => slot(content.sender, content.nonce)
  return {
    get size() {
      return bySlot.size
    },
    byHash: (hash) => [...bySlot.values()].find(({ content }) => content.hash === hash),
    bySenderNonce: (sender, nonce) => bySlot.get(slot(sender, nonce)),
    add: (delayed) => void bySlot.set(slotOf(delayed), delayed),
    remove: (delayed) => void bySlot.delete(slotOf(delayed)),
    due: (head) =>
      [...bySlot.values()]
        .filter(({ releaseAt }) => releaseAt <= head)
        .sort((one, other) => one.content.nonce - other.content.nonce),
    pendingCount(address, count) {
      let next = count
      while (bySlot.has(slot(address, next))) next += 1
      return next
    },
  }
}

/** A pending transaction as a node reports it. */
export function toPendingTransaction({ content }: DelayedTransaction): Record<string, unknown> {
  return {
    type: '0x2',
    hash: content.hash,
    from: content.sender.toLowerCase(),
    to: content.to?.toLowerCase() ?? null,
    nonce: quantity(content.nonce),
    input: content.data,
    value: quantity(content.value),
    gas: quantity(content.gas),
    gasPrice: quantity(content.maxFeePerGas),
    maxFeePerGas: quantity(content.maxFeePerGas),
    maxPriorityFeePerGas: quantity(content.maxPriorityFeePerGas),
    chainId: quantity(content.chainId),
    accessList: [],
    blockHash: null,
    blockNumber: null,
    transactionIndex: null,
  }
}

/** Nodes let a transaction replace another when both its fees are at least a tenth higher. */
export function canReplace(replacement: DecodedTransaction, pending: DecodedTransaction): boolean {
  const tenthMore = (fee: bigint) => (fee * 11n + 9n) / 10n
  return (
    replacement.maxFeePerGas >= tenthMore(pending.maxFeePerGas) &&
    replacement.maxPriorityFeePerGas >= tenthMore(pending.maxPriorityFeePerGas)
  )
}

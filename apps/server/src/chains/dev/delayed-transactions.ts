import type { DecodedTransaction } from '../evm/decode-signed.ts'
import { quantity } from '../evm/wire.ts'

/** A transaction that `delay_next` keeps from the node: known, pending, and not in a block before `releaseAt`. */
export interface DelayedTransaction {
  readonly content: DecodedTransaction
  readonly releaseAt: number
}

/** What is held, by signer and nonce as in a node's own pool. Kept in memory: a restart lets go of it. */
export interface DelayedTransactions {
  readonly size: number
  byHash(hash: string): DelayedTransaction | undefined
  bySenderNonce(sender: string, nonce: number): DelayedTransaction | undefined
  add(held: DelayedTransaction): void
  remove(held: DelayedTransaction): void
  /** Those due at this head, in the order of their nonces. */
  due(head: number): DelayedTransaction[]
  /** The pending count of an address that the node, not knowing these, gives too low. */
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
    add: (held) => void bySlot.set(slotOf(held), held),
    remove: (held) => void bySlot.delete(slotOf(held)),
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

/** How a node tells of a transaction in its pool. */
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

/** Nodes let a transaction take another's place when both its fees are a tenth higher. */
export function canReplace(one: DecodedTransaction, other: DecodedTransaction): boolean {
  const tenthMore = (fee: bigint) => (fee * 11n + 9n) / 10n
  return (
    one.maxFeePerGas >= tenthMore(other.maxFeePerGas) &&
    one.maxPriorityFeePerGas >= tenthMore(other.maxPriorityFeePerGas)
  )
}

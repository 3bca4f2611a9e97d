import type { SignedContent } from '../evm/decode-signed.ts'
import { quantity } from '../evm/wire.ts'

/** A transaction that `delay_next` keeps from the node: known, pending, and not in a block before `releaseAt`. */
export interface HeldTransaction {
  readonly content: SignedContent
  readonly releaseAt: number
}

/** What is held, by signer and nonce as in a node's own pool. Kept in memory: a restart lets go of it. */
export interface HeldTransactions {
  readonly size: number
  byHash(hash: string): HeldTransaction | undefined
  bySlot(sender: string, nonce: number): HeldTransaction | undefined
  add(held: HeldTransaction): void
  remove(held: HeldTransaction): void
  /** Those due at this head, in the order of their nonces. */
  due(head: number): HeldTransaction[]
  /** The pending count of an address that the node, not knowing these, gives too low. */
  pendingCount(address: string, count: number): number
}

export function createHeldTransactions(): HeldTransactions {
  const bySlot = new Map<string, HeldTransaction>()
  const slot = (sender: string, nonce: number) => `${sender.toLowerCase()}/${nonce}`
  const slotOf = ({ content }: HeldTransaction) => slot(content.sender, content.nonce)
  return {
    get size() {
      return bySlot.size
    },
    byHash: (hash) => [...bySlot.values()].find(({ content }) => content.hash === hash),
    bySlot: (sender, nonce) => bySlot.get(slot(sender, nonce)),
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
export function asPending({ content }: HeldTransaction): Record<string, unknown> {
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
export function mayReplace(one: SignedContent, other: SignedContent): boolean {
  const tenthMore = (fee: bigint) => (fee * 11n + 9n) / 10n
  return (
    one.maxFeePerGas >= tenthMore(other.maxFeePerGas) &&
    one.maxPriorityFeePerGas >= tenthMore(other.maxPriorityFeePerGas)
  )
}

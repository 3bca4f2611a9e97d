import type { TransactionToSign } from '@weir/sdk'
import { type Address, maxUint256 } from 'viem'
import { checkTransaction, type Rules } from './check-transaction.ts'

/** What somebody asked for, in your own words: never take it from the plan that the service returned for it. */
export type Order =
  | { readonly does: 'supply'; readonly amount: bigint }
  | { readonly does: 'withdraw'; readonly amount: bigint | 'everything' }

/**
 * A review of all transactions that one execution signs: together they do no more than the order, however many there are
 * and whatever the plan says. Of bytes with the same nonce only one lands, so they count once.
 */
export function reviewFor(order: Order, wallet: Address, rules: Rules): (transaction: TransactionToSign) => void {
  const most = order.amount === 'everything' ? maxUint256 : order.amount
  const moved = new Map<number, bigint>()
  return ({ bytes }) => {
    const { does, amount, nonce } = checkTransaction(bytes, wallet, most, rules)
    if (does === 'approve' && order.does === 'supply') return
    if (does !== order.does) throw new Error(`refused: it would ${does}, and the order is to ${order.does}`)
    const others = [...moved].reduce((sum, [other, units]) => (other === nonce ? sum : sum + units), 0n)
    const units = amount > (moved.get(nonce) ?? 0n) ? amount : moved.get(nonce)!
    if (order.amount !== 'everything' && others + units > most)
      throw new Error(`refused: with it ${others + units} would move, and the order is ${most}`)
    moved.set(nonce, units)
  }
}

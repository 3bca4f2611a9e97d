import type { SvmIncludedTransaction } from '../../port/included-transaction.ts'

/** What a node says about a token account: its amount when it was read, and how it came about. */
export interface AccountTimeline {
  readonly account: string
  readonly amount: bigint
  /** What it held before the listed transactions; `undefined`: not known. */
  readonly before: bigint | undefined
  /** The listed transactions that mention it, oldest first; `undefined` in place of an unreadable one. */
  readonly transactions: readonly (SvmIncludedTransaction | undefined)[]
  /** Whether the list continues with transactions that the amount may contain; they are not among these. */
  readonly goesOn: boolean
  /** The first of those; `undefined` if it is unreadable. */
  readonly next?: SvmIncludedTransaction | undefined
}

/**
 * Compares the amounts of an account with each other: what each transaction found is what the previous one left, and the
 * last one left the amount. `unknown`: the node knows no transaction of an account that holds something.
 * `contradicted`: the list lacks a transaction.
 */
export function explain(timeline: AccountTimeline): 'explained' | 'unknown' | 'contradicted' {
  const { gaps, left } = followAmounts(timeline)
  if (gaps.length > 0) return 'contradicted'
  return timeline.goesOn || left !== undefined || timeline.amount === 0n ? 'explained' : 'unknown'
}

/** What an account held after the listed transactions, if they explain it; `undefined`: not known. */
export function heldAfter(timeline: AccountTimeline): bigint | undefined {
  const { account, amount, goesOn, next } = timeline
  if (!goesOn) return amount
  return next?.tokens.find((one) => one.account === account)?.before ?? followAmounts(timeline).left
}

/**
 * Where the list of an account lacks a transaction: each gap is the number of listed ones before it. `left`: what the
 * last of them left; `undefined`: not known.
 */
export function followAmounts({ account, amount, before, transactions, goesOn, next }: AccountTimeline): {
  readonly gaps: readonly number[]
  readonly left: bigint | undefined
} {
  const gaps: number[] = []
  // One that mentions the account where none existed says nothing about it.
  const changeBy = (transaction: SvmIncludedTransaction) => transaction.tokens.find((one) => one.account === account)
  let left = before
  const found = (position: number, foundAmount: bigint | undefined) => {
    if (left !== undefined && foundAmount !== undefined && left !== foundAmount) gaps.push(position)
  }
  for (const [position, transaction] of transactions.entries()) {
    const change = transaction && changeBy(transaction)
    if (transaction && !change) continue
    found(position, change?.before)
    left = change?.after
  }
  found(transactions.length, goesOn ? next && changeBy(next)?.before : amount)
  return { gaps, left }
}

import type { SvmIncludedTransaction } from '../../port/included-transaction.ts'

/** What a node says about a token account: its amount now, and how it came about. */
export interface AccountTimeline {
  readonly account: string
  readonly amount: bigint
  /** What it held before the listed transactions; `undefined`: not known. */
  readonly before: bigint | undefined
  /** The listed transactions that mention it, oldest first; `undefined` in place of an unreadable one. */
  readonly transactions: readonly (SvmIncludedTransaction | undefined)[]
  /** Whether it was read before further transactions, which are not among these. */
  readonly goesOn: boolean
}

/**
 * Compares the amounts of an account with each other: what each transaction found is what the previous one left, and the
 * last one left the amount. `unknown`: the node knows no transaction of an account that holds something.
 * `contradicted`: the list lacks a transaction.
 */
export function explain(timeline: AccountTimeline): 'explained' | 'unknown' | 'contradicted' {
  const { account, amount, before, transactions, goesOn } = timeline
  let expected = before
  const contradicts = (found: bigint) => expected !== undefined && expected !== found
  for (const transaction of transactions) {
    // One that mentions the account where none existed says nothing about it.
    const change = transaction?.tokens.find((one) => one.account === account)
    if (transaction !== undefined && change === undefined) continue
    if (change && contradicts(change.before)) return 'contradicted'
    expected = change?.after
  }
  if (goesOn) return 'explained'
  if (contradicts(amount)) return 'contradicted'
  return expected !== undefined || amount === 0n ? 'explained' : 'unknown'
}

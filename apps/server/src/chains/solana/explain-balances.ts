import type { SvmIncludedTransaction } from '../port/included-transaction.ts'
import { requestRejected } from '../rpc/rpc.ts'

/** What a node says about a token account: its amount now, and how it came about. */
export interface AccountStory {
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
 * last one left the amount. Returns whether the amount is explained; it is not where the node knows no transaction of
 * an account that holds something.
 *
 * Throws CHAIN_UNAVAILABLE when two amounts differ: nodes write the list after the amount, and it lacks a transaction.
 */
export function isExplained({ account, amount, before, transactions, goesOn }: AccountStory): boolean {
  let expected = before
  const expect = (found: bigint) => {
    if (expected === undefined || expected === found) return
    throw requestRejected('getSignaturesForAddress', `no transaction explains the balance of ${account}`)
  }
  for (const transaction of transactions) {
    // One that mentions the account where none existed says nothing about it.
    const change = transaction?.tokens.find((one) => one.account === account)
    if (transaction !== undefined && change === undefined) continue
    if (change) expect(change.before)
    expected = change?.after
  }
  if (goesOn) return true
  expect(amount)
  return expected !== undefined || amount === 0n
}

import { assert } from '../../../kernel/index.ts'
import type { IncludedTransaction, IncludedTransfer } from '../../port/included-transaction.ts'

/**
 * The changes of token accounts as transfers: a node reports balances before and after a transaction. What an account
 * gained came from the owner whose accounts of the same token lost some; of several nobody can say which one. Their
 * position is the index of the account.
 */
export function transfers(transaction: IncludedTransaction, tokens?: ReadonlySet<string>): IncludedTransfer[] {
  assert(transaction.family === 'svm', 'a Solana transaction')
  return transaction.tokens.flatMap(({ owner, token, before, after }, position) => {
    if (before === after || (tokens && !tokens.has(token))) return []
    if (after < before) return { token, from: owner, to: undefined, amount: before - after, position }
    const losers = transaction.tokens.filter((other) => other.token === token && other.after < other.before)
    const [sender, ...others] = new Set(losers.map((other) => other.owner))
    return { token, from: others.length === 0 ? sender : undefined, to: owner, amount: after - before, position }
  })
}

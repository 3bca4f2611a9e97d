import type { IncludedTransaction, TokenChange } from '../../chains/index.ts'
import { assert } from '../../kernel/index.ts'
import { netMovement } from '../net-movement.ts'
import type { Movement, Strategy } from '../port.ts'

/**
 * What a transaction moved between a wallet and a strategy whose shares are tokens, `{program, shareMint}`: the
 * wallet's own change in shares and in tokens, from the balances before and after. A transaction that moves shares
 * without calling the program is not a movement between wallet and strategy.
 */
export function movement(strategy: Strategy, owner: string, transaction: IncludedTransaction): Movement | undefined {
  assert(transaction.family === 'svm', 'a Solana transaction')
  const { program, shareMint } = strategy.params
  if (!transaction.instructions.some((instruction) => instruction.program === program)) return undefined
  const change = (token: string) => transaction.tokens.filter(isOf(owner, token)).reduce(sum, 0n)
  return netMovement(change(shareMint!), -change(strategy.tokenAddress))
}

const isOf = (owner: string, token: string) => (change: TokenChange) => change.owner === owner && change.token === token
const sum = (total: bigint, { before, after }: TokenChange) => total + after - before

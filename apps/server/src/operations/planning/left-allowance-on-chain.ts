import type { Chain } from '../../chains/index.ts'
import { Failure } from '../../kernel/index.ts'
import { readAllowance, type Strategy, strategyById } from '../../venues/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import { chainOf, type Parts } from '../lifecycle/parts.ts'
import { deleteLeftAllowances, type LeftAllowance } from '../lifecycle/records/left-allowances.ts'

/**
 * What the chain says is left of an allowance, in base units. Forgets it if nothing is. Errors: STRATEGY_NOT_FOUND,
 * CHAIN_UNAVAILABLE.
 */
export async function checkLeftAllowance(parts: Parts, left: LeftAllowance, address: string): Promise<bigint> {
  const strategy = await strategyById(parts.db, left.strategyId)
  if (!strategy) throw new Failure('STRATEGY_NOT_FOUND')
  const allowance = await readAllowance(chainOf(parts, strategy.blockchain), strategy, address)
  const amount = allowance?.amount ?? 0n
  if (amount === 0n) await deleteLeftAllowances(parts.db, left)
  return amount
}

/** The allowance to revoke, in base units. Errors: ALLOCATION_NOT_FOUND, CHAIN_UNAVAILABLE. */
export async function requireAllowance(
  chain: Chain,
  strategy: Strategy,
  { address }: Pick<Wallet, 'address'>,
): Promise<bigint> {
  const allowance = await readAllowance(chain, strategy, address)
  if (allowance && allowance.amount > 0n) return allowance.amount
  throw new Failure('ALLOCATION_NOT_FOUND', {
    message: 'The wallet has no allowance to revoke there.',
    details: { reason: 'nothing_to_revoke' },
  })
}

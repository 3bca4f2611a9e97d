import { baseUnits, type EvmBlockchain } from './chains.ts'
import { curatorCalls, depositAsCurator, strategyOf } from './curator.ts'
import type { EvmStrategy, EvmToken } from './deployment.ts'
import type { PlanBuilder } from './plan-builder.ts'

const SECONDS_PER_YEAR = 31_536_000n
/** What the curator lends and borrows of it, in whole tokens: 2 % a year, below every other rate of the chain. */
const LENT = 1_000_000n
const BORROWED = 500_000n
/** 8 % a year, at full utilization. */
const FULL_RATE = (8n * 10n ** 25n) / SECONDS_PER_YEAR

/** Plans a vault that people borrow from, and its first borrower. All steps are the curator's: append, never change. */
export function planCredit(
  plan: PlanBuilder,
  { blockchain, coin }: { readonly blockchain: EvmBlockchain; readonly coin: EvmToken },
): EvmStrategy {
  const { governor } = plan.accounts
  const { symbol, address: token } = coin
  const name = `Credit ${symbol}`
  const vault = plan.deploy('weir/CreditVault', [token, name, `c${symbol}`, FULL_RATE, governor.address], 'curator')
  const call = curatorCalls(plan)
  depositAsCurator(plan, { path: 'CreditVault', vault, token, amount: LENT })
  call('CreditVault', vault, 'borrow', [baseUnits(BORROWED)])
  return {
    key: `erc4626:${blockchain}:${symbol}:credit`,
    protocol: 'erc4626',
    name,
    ...strategyOf(coin),
    params: { vault, rateBasisPoints: null, cash: 'reported', lendsTo: null },
  }
}

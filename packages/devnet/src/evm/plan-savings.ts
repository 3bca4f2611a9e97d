import type { EvmBlockchain } from './chains.ts'
import { depositAsCurator, strategyOf } from './curator.ts'
import type { EvmStrategy, EvmToken } from './deployment.ts'
import type { PlanBuilder } from './plan-builder.ts'
import { factorOf } from './savings-controls.ts'

/** Below every other rate of the chain: nothing goes there unless somebody says so. */
const RATE_BASIS_POINTS = 210
/** The curator's deposit, in whole tokens. */
const DEPOSIT = 100_000n

/** Plans a savings vault with a governed rate per second. All steps are the curator's: append, never change. */
export function planSavings(
  plan: PlanBuilder,
  { blockchain, coin }: { readonly blockchain: EvmBlockchain; readonly coin: EvmToken },
): EvmStrategy {
  const { governor } = plan.accounts
  const { symbol, address: token } = coin
  const name = `Savings ${symbol}`
  const args = [token, name, `s${symbol}`, factorOf(RATE_BASIS_POINTS), governor.address]
  const vault = plan.deploy('weir/SavingsVault', args, 'curator')
  depositAsCurator(plan, { path: 'SavingsVault', vault, token, amount: DEPOSIT })
  return {
    key: `erc4626:${blockchain}:${symbol}:savings`,
    protocol: 'erc4626',
    name,
    ...strategyOf(coin),
    params: { vault, rateBasisPoints: null, rate: 'ssr', lendsTo: null },
  }
}

import type { Address } from 'viem'
import { baseUnits, type EvmBlockchain, MIN_DEPOSIT } from './chains.ts'
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
  const { curator, governor } = plan.accounts
  const { symbol, address: token } = coin
  const name = `Savings ${symbol}`
  const args = [token, name, `s${symbol}`, factorOf(RATE_BASIS_POINTS), governor.address]
  const vault = plan.deploy('weir/SavingsVault', args, 'curator')
  const call = (path: string, to: Address, functionName: string, args: readonly unknown[]) =>
    plan.call('curator', `weir/${path}`, { to, functionName, args })
  call('DevToken', token, 'mint', [curator.address, baseUnits(DEPOSIT)])
  call('DevToken', token, 'approve', [vault, baseUnits(DEPOSIT)])
  call('SavingsVault', vault, 'deposit', [baseUnits(DEPOSIT), curator.address])
  return {
    key: `erc4626:${blockchain}:${symbol}:savings`,
    protocol: 'erc4626',
    name,
    token: symbol,
    tokenAddress: token,
    minDeposit: MIN_DEPOSIT,
    maxDeposit: null,
    status: 'active',
    params: { vault, rateBasisPoints: null, rate: 'ssr', lendsTo: null },
  }
}

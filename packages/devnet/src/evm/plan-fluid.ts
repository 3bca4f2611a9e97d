import { baseUnits, type EvmBlockchain } from './chains.ts'
import { curatorCalls, depositAsCurator, strategyOf } from './curator.ts'
import type { EvmStrategy, EvmToken } from './deployment.ts'
import type { PlanBuilder } from './plan-builder.ts'

const SECONDS_PER_YEAR = 31_536_000n
/** What the curator lends and borrows of it, in whole tokens: 1.9 % a year, below every other rate of the chain. */
const LENT = 100_000n
const BORROWED = 50_000n
/** 3.8 % a year, at full utilization. */
const FULL_RATE = (38n * 10n ** 24n) / SECONDS_PER_YEAR
/** A fifth of the supply within a day, in parts of 10,000; all of it while less than the base is there. */
const EXPAND_PERCENT = 2_000n
const EXPAND_SECONDS = 86_400n
const BASE_LIMIT = 10_000n

/** Plans a vault of Fluid's kind and the layer that has its money. All steps are the curator's: append, never change. */
export function planFluid(
  plan: PlanBuilder,
  { blockchain, coin }: { readonly blockchain: EvmBlockchain; readonly coin: EvmToken },
): EvmStrategy {
  const { governor } = plan.accounts
  const { symbol, address: token } = coin
  const name = `Fluid ${symbol}`
  const layer = plan.deploy('weir/FluidLayer', [FULL_RATE, governor.address], 'curator')
  const vault = plan.deploy('weir/FluidToken', [token, name, `f${symbol}`, layer], 'curator')
  const call = curatorCalls(plan)
  call('FluidLayer', layer, 'defineUser', [vault, token, EXPAND_PERCENT, EXPAND_SECONDS, baseUnits(BASE_LIMIT)])
  depositAsCurator(plan, { path: 'FluidToken', vault, token, amount: LENT })
  call('FluidLayer', layer, 'borrow', [token, baseUnits(BORROWED)])
  return {
    key: `erc4626:${blockchain}:${symbol}:fluid`,
    protocol: 'erc4626',
    name,
    ...strategyOf(coin),
    params: { vault, rateBasisPoints: null, cash: 'fluid', layer, lendsTo: null },
  }
}

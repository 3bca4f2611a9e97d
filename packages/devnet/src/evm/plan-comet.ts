import { type Address, maxUint256 } from 'viem'
import { baseUnits, type EvmBlockchain } from './chains.ts'
import { speedOf } from './comet-controls.ts'
import { curatorCalls, strategyOf } from './curator.ts'
import type { CometStrategy, EvmToken } from './deployment.ts'
import type { PlanBuilder } from './plan-builder.ts'

/** What the lender has in it, and what the curator borrows: 2.2 % a year, below every other rate. In whole tokens. */
const LENT = 1_000_000n
const BORROWED = 600_000n
const COLLATERAL = 10_000n * 10n ** 18n
/** Rewards a year on what is lent at first, at the price of the first day. */
const REWARD_BASIS_POINTS = 100

/**
 * Plans a market with the interface of Compound's Comet, and its first borrower. All steps are the curator's: append,
 * never change.
 */
export function planComet(
  plan: PlanBuilder,
  { blockchain, coin, weth }: { readonly blockchain: EvmBlockchain; readonly coin: EvmToken; readonly weth: Address },
): CometStrategy {
  const { curator, governor, lender } = plan.accounts
  const { symbol, address: token } = coin
  const comet = plan.deploy(
    'weir/CometMarket',
    [token, weth, baseUnits(3_000n), governor.address, speedOf(REWARD_BASIS_POINTS, baseUnits(LENT))],
    'curator',
  )
  const call = curatorCalls(plan)
  call('DevToken', token, 'mint', [curator.address, baseUnits(LENT)])
  call('DevToken', token, 'approve', [comet, maxUint256])
  // One account is never both: what it borrows comes off what it lent.
  call('CometMarket', comet, 'supplyTo', [lender.address, token, baseUnits(LENT)])
  call('DevToken', weth, 'mint', [curator.address, COLLATERAL])
  call('DevToken', weth, 'approve', [comet, maxUint256])
  call('CometMarket', comet, 'supply', [weth, COLLATERAL])
  call('CometMarket', comet, 'withdraw', [token, baseUnits(BORROWED)])
  return {
    key: `compound-v3:${blockchain}:${symbol}`,
    protocol: 'compound-v3',
    name: `Comet ${symbol}`,
    ...strategyOf(coin),
    params: { comet },
  }
}

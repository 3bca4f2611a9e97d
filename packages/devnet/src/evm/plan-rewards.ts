import type { Address } from 'viem'
import { curatorCalls } from './curator.ts'
import type { PlanBuilder } from './plan-builder.ts'

/** More than the market tracks within centuries. */
const STOCK = 10n ** 27n
const FACTOR_SCALE = 10n ** 18n

/** As `rewards` of the market's parameters. */
type Rewards = `${Address}/${Address}`

/**
 * Plans the token that a market pays its lenders beside interest, the contract that pays it, and the feed of its price,
 * one dollar. All steps are the curator's: append, never change.
 */
export function planRewards(plan: PlanBuilder, market: Address): Rewards {
  const { governor } = plan.accounts
  const token = plan.deploy('weir/DevToken', ['Reward Token', 'RWD', 18], 'curator')
  const rewardFeed = plan.deploy('weir/DevPriceFeed', ['RWD / USD', governor.address], 'curator')
  const rewards = plan.deploy('weir/MarketRewards', [], 'curator')
  const call = curatorCalls(plan)
  call('MarketRewards', rewards, 'setRewardConfigWithMultiplier', [market, token, FACTOR_SCALE])
  call('DevToken', token, 'mint', [rewards, STOCK])
  return `${rewards}/${rewardFeed}`
}

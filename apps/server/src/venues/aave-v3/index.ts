import type { Venue } from '../port.ts'
import { movement } from './movement.ts'
import { planSupply, planUnwind } from './plan.ts'
import { rayMul } from './ray.ts'
import { prices, rates, shares } from './read.ts'

/**
 * Aave V3. Shares are scaled balances, the price is the reserve's normalized income (a ray, RAY at the reserve's
 * birth), and their product, rounded half up, is what `aToken.balanceOf` shows and a full withdrawal pays.
 */
export const aaveV3: Venue = {
  protocol: 'aave-v3',
  shareToken: (strategy) => strategy.params.aToken!,
  valueOf: rayMul,
  prices,
  shares,
  rates,
  planSupply,
  planUnwind,
  netMovement: movement,
}

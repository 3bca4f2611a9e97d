import type { Venue } from '../port.ts'
import { movement } from './movement.ts'
import { planSupply, planUnwind } from './plan.ts'
import { rayMul } from './ray.ts'
import { acceptedTokens, positions, prices, rates, shares } from './read.ts'

/**
 * Aave V3. Shares are scaled balances; the price is the reserve's normalized income in rays (RAY when the reserve is
 * created). Their product, rounded half up, is what `aToken.balanceOf` returns and a full withdrawal pays.
 */
export const aaveV3: Venue = {
  protocol: 'aave-v3',
  shareToken: (strategy) => strategy.params.aToken!,
  valueOf: rayMul,
  acceptedTokens,
  prices,
  shares,
  positions,
  rates,
  planSupply,
  planUnwind,
  netMovement: movement,
}

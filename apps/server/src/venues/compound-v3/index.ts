import type { Venue } from '../port.ts'
import { presentValue } from './balance.ts'
import { movement } from './movement.ts'
import { planSupply, planUnwind } from './plan.ts'
import { acceptedTokens, positions, prices, rates, shares } from './read.ts'

/**
 * The base token of a Compound V3 market (Comet). Shares are principals; the price is the market's supply index. Their
 * product, rounded down, is what `balanceOf` returns and a full withdrawal pays.
 */
export const compoundV3: Venue = {
  protocol: 'compound-v3',
  shareToken: (strategy) => strategy.params.comet!,
  valueOf: presentValue,
  acceptedTokens,
  prices,
  shares,
  positions,
  rates,
  planSupply,
  planUnwind,
  netMovement: movement,
}

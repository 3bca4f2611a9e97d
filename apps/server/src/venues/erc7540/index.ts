import { planSupply } from '../erc4626/plan.ts'
import { sharesToAssets } from '../erc4626/price.ts'
import { acceptedTokens, prices, shares } from '../erc4626/read.ts'
import type { Venue } from '../port.ts'
import { exits } from './exits.ts'
import { movement } from './movement.ts'
import { planUnwind } from './plan.ts'
import { positions, rates } from './read.ts'

/**
 * An ERC-7540 vault with asynchronous redemption and synchronous deposits: shares are handed in with a request, the
 * vault settles requests when it can, and the owner claims. Requests add up under the id 0.
 */
export const erc7540: Venue = {
  protocol: 'erc7540',
  shareToken: (strategy) => strategy.params.vault!,
  valueOf: sharesToAssets,
  acceptedTokens,
  prices,
  shares,
  positions,
  rates,
  planSupply,
  planUnwind,
  netMovement: movement,
  exits,
}

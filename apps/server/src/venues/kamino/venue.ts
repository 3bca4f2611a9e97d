import type { Venue } from '../port.ts'
import { movement } from '../svm/movement.ts'
import { sharesToAssets } from '../svm/price.ts'
import { shares } from '../svm/reader.ts'
import { planSupply, planUnwind } from './plan.ts'
import { acceptedTokens, positions, prices, rates } from './read.ts'

/** Kamino Lend: a deposit mints the reserve's collateral tokens, shares that the wallet itself holds. */
export const kamino: Venue = {
  protocol: 'kamino',
  shareToken: (strategy) => strategy.params.shareMint!,
  valueOf: sharesToAssets,
  acceptedTokens,
  prices,
  shares,
  positions,
  rates,
  planSupply,
  planUnwind,
  netMovement: movement,
}

import type { Venue } from '../port.ts'
import { movement } from '../svm/movement.ts'
import { sharesToAssets } from '../svm/price.ts'
import { shares } from '../svm/reader.ts'
import { planSupply, planUnwind } from './plan.ts'
import { acceptedTokens, positions, prices, rates } from './read.ts'

/** The share vault of the embedded Solana chain: shares are SPL tokens whose price grows with the chain's clock. */
export const shareVault: Venue = {
  protocol: 'share-vault',
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

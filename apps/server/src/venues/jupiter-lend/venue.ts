import type { Venue } from '../port.ts'
import { movement } from '../svm/movement.ts'
import { sharesToAssets } from '../svm/price.ts'
import { shares } from '../svm/reader.ts'
import { planSupply, planUnwind } from './plan.ts'
import { acceptedTokens, positions, prices, rates } from './read.ts'

/**
 * Jupiter Lend, Fluid's design on Solana: a deposit mints tokens that the wallet itself holds. Compared with the vendor's
 * SDK, but never run on mainnet (ADR 147).
 */
export const jupiterLend: Venue = {
  protocol: 'jupiter-lend',
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

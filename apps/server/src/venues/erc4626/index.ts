import type { Venue } from '../port.ts'
import { movement } from './movement.ts'
import { planSupply, planUnwind } from './plan.ts'
import { positions } from './positions.ts'
import { sharesToAssets } from './price.ts'
import { rates } from './rates.ts'
import { acceptedTokens, prices, shares } from './read.ts'
import { simulateWithdrawable } from './simulate-withdrawable.ts'

/** Any ERC-4626 vault. Shares are the vault's own ERC-20; price.ts explains the price. */
export const erc4626: Venue = {
  protocol: 'erc4626',
  shareToken: (strategy) => strategy.params.vault!,
  valueOf: sharesToAssets,
  acceptedTokens,
  prices,
  shares,
  positions,
  probe: simulateWithdrawable,
  rates,
  planSupply,
  planUnwind,
  netMovement: movement,
}

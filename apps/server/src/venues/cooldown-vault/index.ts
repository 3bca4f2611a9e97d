import { planSupply } from '../erc4626/plan.ts'
import { sharesToAssets } from '../erc4626/price.ts'
import { acceptedTokens, prices, shares } from '../erc4626/read.ts'
import type { Venue } from '../port.ts'
import { exits } from './exits.ts'
import { movement } from './movement.ts'
import { planUnwind } from './plan.ts'
import { positions, rates } from './read.ts'

/**
 * An ERC-4626 vault that is left through a cooldown: a request burns the shares, fixes what is owed, and starts a time
 * after which the owner claims it from the vault's escrow. The operator of the vault can set that time to 0; then
 * withdrawals pay at once.
 */
export const cooldownVault: Venue = {
  protocol: 'cooldown-vault',
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

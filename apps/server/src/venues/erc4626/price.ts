import type { ContractRead } from '../../chains/index.ts'
import { mulDivDown } from '../../kernel/index.ts'
import type { Strategy } from '../port.ts'
import { vaultAbi } from './abi.ts'

/**
 * A vault's price is the value that it reports for 10^30 shares: `convertToAssets(10^30)`, less what it is short of
 * (shortfall.ts).
 *
 * Vaults return whole base units, so a larger number of shares gives a finer price. 10^30 is a million million tokens
 * where shares have 18 decimals: any real position is worth less, and loses less than one base unit to the price's own
 * rounding. It is also about the maximum that vaults accept: some store shares in 112 bits (5.1 × 10^33), and those
 * that multiply without 512-bit precision leave room for 10^47 base units of assets.
 */
export const PRICE_SCALE = 10n ** 30n

export function priceCall(strategy: Strategy): ContractRead {
  return { address: strategy.params.vault!, abi: vaultAbi, functionName: 'convertToAssets', args: [PRICE_SCALE] }
}

/**
 * What shares redeem for, in base units of the token, rounded down as `redeem` does: never more than the vault pays,
 * and at most one base unit less.
 */
export function sharesToAssets(shares: bigint, price: bigint): bigint {
  return mulDivDown(shares, price, PRICE_SCALE)
}

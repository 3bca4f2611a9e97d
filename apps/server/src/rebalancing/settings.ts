import { mulDivUp } from '../kernel/index.ts'

/** A decimal number as two integers: 0.01 is 1 with scale 2. */
export interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

/** How the rebalancer decides; from the configuration (contract 10). */
export interface RebalanceSettings {
  /** Minimum size of a deployment, in tokens. */
  readonly floor: Decimal
  /** Shortfall of a buffer below which nothing is unwound, in tokens. */
  readonly dust: Decimal
  /** Days within which a deployment must earn more than its gas. */
  readonly horizonDays: number
  /** How long funds from an explicit withdrawal are not deployed again. */
  readonly withdrawHoldMs: number
  /** USD for one native coin, by blockchain; gas costs nothing where a price is absent. */
  readonly nativeUsd: Readonly<Record<string, Decimal | undefined>>
  /** The limits of organizations that set none; absent: `none`. */
  readonly depositLimits?: 'conservative' | 'none'
}

/** Converts tokens to base units, rounded up. */
export function baseUnitsOf({ digits, scale }: Decimal, decimals: number): bigint {
  return mulDivUp(digits, 10n ** BigInt(decimals), 10n ** BigInt(scale))
}

import { mulDivUp } from '../kernel/index.ts'

/** A decimal number as two whole ones: 0.01 is 1 with a scale of 2. */
export interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

/** How the rebalancer decides; from configuration (contract 10). */
export interface RebalanceSettings {
  /** Tokens below which a deployment is not worth a transaction. */
  readonly floor: Decimal
  /** Tokens that a buffer may be short by before anything is unwound. */
  readonly dust: Decimal
  /** Over so many days a deployment must bring more than its gas. */
  readonly horizonDays: number
  /** For so long what an explicit withdrawal brought back is not deployed again. */
  readonly withdrawHoldMs: number
  /** USD for one native coin, by blockchain; absent: gas counts as nothing there. */
  readonly nativeUsd: Readonly<Record<string, Decimal | undefined>>
}

/** Base units of so many tokens, rounded up. */
export function baseUnitsOf({ digits, scale }: Decimal, decimals: number): bigint {
  return mulDivUp(digits, 10n ** BigInt(decimals), 10n ** BigInt(scale))
}

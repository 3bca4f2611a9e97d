import type { BreakerKind } from '../database/index.ts'
import { BREAKER_RECOVERY_SECONDS } from '../kernel/index.ts'

/** Which facts open an organization's circuit breakers, and what follows. Shares in hundredths of a percent. */
export interface BreakerSettings {
  /** How far the share price may be below its highest daily reading of 30 days; `null`: this breaker is off. */
  readonly priceFallBps: number | null
  /** How far the price of the token may be from 1 US dollar, above or below; `null`: off. */
  readonly pegDistanceBps: number | null
  /** The least part of the organization's position that must be withdrawable now; `null`: off. */
  readonly withdrawableShareBps: number | null
  /** Whether other code at a contract opens a breaker. */
  readonly onUpgrade: boolean
  /** Whether the rebalancer withdraws whatever is in a strategy with an open breaker. */
  readonly withdraw: boolean
  /** How long a fact must be fine before its breaker closes without a person. */
  readonly recoverySeconds: number
}

/** No breaker at all: what an organization has until it sets some. */
export const NO_BREAKERS: BreakerSettings = {
  priceFallBps: null,
  pegDistanceBps: null,
  withdrawableShareBps: null,
  onUpgrade: false,
  withdraw: false,
  recoverySeconds: BREAKER_RECOVERY_SECONDS.default,
}

/** Whether breakers of this kind are on. */
export function isOn(settings: BreakerSettings, kind: BreakerKind): boolean {
  return kind === 'upgrade' ? settings.onUpgrade : thresholdOf(settings, kind) !== null
}

/** The threshold of a kind that has one; `null`: off. */
export function thresholdOf(settings: BreakerSettings, kind: Exclude<BreakerKind, 'upgrade'>): number | null {
  switch (kind) {
    case 'price_fall':
      return settings.priceFallBps
    case 'depeg':
      return settings.pegDistanceBps
    case 'illiquidity':
      return settings.withdrawableShareBps
  }
}

import type { Strategy } from '../../venues/index.ts'
import type { RebalanceSettings } from '../settings.ts'

/** A cap on exposure: the largest share of everything that an organization holds. */
export interface ShareCap {
  /** `protocol`: the name of a venue, such as Morpho, or a protocol identifier, such as aave-v3. */
  readonly kind: 'strategy' | 'protocol' | 'blockchain'
  /** A strategy id as text, a name, or a blockchain. */
  readonly of: string
  /** Hundredths of a percent, 0 to 10,000. */
  readonly shareBps: number
}

/** Limits on an organization's exposure: what the service may deposit on its own. */
export interface DepositLimits {
  /** The only strategies that may take deposits; `null`: all. */
  readonly allowedStrategies: readonly number[] | null
  readonly caps: readonly ShareCap[]
  /** The largest share of a strategy's deposits that may be the organization's; `null`: no limit. */
  readonly poolShareBps: number | null
  /**
   * The largest position, as a share of what all depositors could withdraw; `null`: no limit. Does not apply to vaults
   * that do not report that.
   */
  readonly liquidityShareBps: number | null
  /** How far the share price may be below its highest daily reading of 30 days; absent or `null`: no limit. */
  readonly priceFallBps?: number | null
  /** The least part of the position that could be withdrawn at the last readings; absent or `null`: no limit. */
  readonly withdrawableShareBps?: number | null
}

export const NO_LIMITS: DepositLimits = {
  allowedStrategies: null,
  caps: [],
  poolShareBps: null,
  liquidityShareBps: null,
}

/**
 * The default of live installations: a position can leave a pool without emptying it, whatever the pool pays, and no
 * money follows a loss or joins money that is stuck. Where a vault does not report its liquidity, what the owner could
 * withdraw decides alone. No cap by protocol would suit every organization, so there is none.
 */
const CONSERVATIVE: DepositLimits = {
  ...NO_LIMITS,
  poolShareBps: 1_000,
  liquidityShareBps: 2_500,
  priceFallBps: 100,
  withdrawableShareBps: 9_000,
}

/** The limits of an organization that set none. */
export const defaultLimits = ({ depositLimits }: Pick<RebalanceSettings, 'depositLimits'>): DepositLimits =>
  depositLimits === 'conservative' ? CONSERVATIVE : NO_LIMITS

export const isUnlimited = ({ allowedStrategies, caps, ...bounds }: DepositLimits): boolean =>
  allowedStrategies === null && caps.length === 0 && Object.values(bounds).every((bps) => typeof bps !== 'number')

type CappedStrategy = Pick<Strategy, 'id' | 'venueName' | 'protocol' | 'blockchain'>

/** Whether a cap counts deposits in this strategy. Names are compared case-insensitively. */
export function coveredBy({ kind, of }: ShareCap, strategy: CappedStrategy): boolean {
  const name = of.toLowerCase()
  switch (kind) {
    case 'strategy':
      return of === strategy.id.toString()
    case 'protocol':
      return name === strategy.venueName.toLowerCase() || name === strategy.protocol.toLowerCase()
    case 'blockchain':
      return name === strategy.blockchain
  }
}

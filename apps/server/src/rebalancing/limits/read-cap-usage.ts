import type { StoppedStrategy } from '../../breakers/index.ts'
import type { Database, Tx } from '../../database/index.ts'
import { mulDivDown } from '../../kernel/index.ts'
import type { RebalanceParts } from '../parts.ts'
import { type Headroom, tighter } from './headroom.ts'
import { type HeldSums, readInside, tokenKey } from './held-sums.ts'
import { readLimitHeadrooms } from './read-headroom.ts'
import { recentSums } from './recent-sums.ts'

/** The cap of an organization on a strategy, and what it holds there or is moving there. Base units. */
interface CapUsage {
  readonly strategyId: number
  readonly limit: bigint
  readonly used: bigint
}

/** A cap with the strategy that it limits. */
export interface StoredCap {
  readonly strategy_id: number
  readonly share_bps: number
  readonly blockchain: string
  readonly token_address: string
}

/**
 * The usage of an organization's caps. A cap is a share of everything that the organization holds of the token on that
 * chain. Reservations of unfinished deployments count as holdings of the strategy.
 */
export async function readCapUsage(db: Database | Tx, caps: readonly StoredCap[], sums: HeldSums): Promise<CapUsage[]> {
  const insideOf = await readInside(db, sums)
  return caps.map(({ strategy_id: strategyId, share_bps: shareBps, blockchain, token_address: tokenAddress }) => {
    const whole = sums.tokens.get(tokenKey({ blockchain, tokenAddress }))?.amount ?? 0n
    return { strategyId, limit: mulDivDown(whole, BigInt(shareBps), 10_000n), used: insideOf(strategyId) }
  })
}

export function readCaps(db: Database, organizationId: number): Promise<StoredCap[]> {
  return db
    .selectFrom('strategy_caps')
    .innerJoin('strategies', 'strategies.id', 'strategy_caps.strategy_id')
    .select(['strategy_id', 'share_bps', 'blockchain', 'token_address'])
    .where('organization_id', '=', organizationId)
    .execute()
}

/**
 * What the organization's circuit breakers, caps and limits leave, by strategy; strategies without any are missing. Never
 * negative.
 */
export type Headrooms = ReadonlyMap<number, Headroom>

/** With the sums that it was computed from, where caps or limits needed them. */
export interface CapHeadroom {
  readonly headrooms: Headrooms
  readonly sums: HeldSums | undefined
}

export async function readCapHeadroom(
  { db, rebalancing, clock }: Pick<RebalanceParts, 'db' | 'rebalancing' | 'clock'>,
  organizationId: number,
  stopped: ReadonlyMap<number, StoppedStrategy>,
): Promise<CapHeadroom> {
  let sums: HeldSums | undefined
  const readSums = async () => {
    sums ??= await recentSums({ db, clock }, organizationId)
    return sums
  }
  const stored = await readCaps(db, organizationId)
  const caps = stored.length === 0 ? [] : await readCapUsage(db, stored, await readSums())
  const limits = await readLimitHeadrooms(db, rebalancing, { organizationId, readSums })
  const capHeadrooms = new Map(caps.map((usage) => [usage.strategyId, capHeadroom(usage)]))
  const all = new Map([...limits, ...capHeadrooms])
  const left = new Map(
    [...all].map(([strategyId, headroom]) => [strategyId, tighter(headroom, limits.get(strategyId))]),
  )
  for (const [strategyId, { reason }] of stopped) left.set(strategyId, { amount: 0n, because: reason })
  return { headrooms: left, sums }
}

/** What a cap leaves: negative when it is exceeded. */
export const capHeadroom = ({ limit, used }: CapUsage): Headroom => ({
  amount: limit - used,
  because: "the organization's share in it is at its cap",
})

import { sql } from 'kysely'
import type { StoppedStrategy } from '../../breakers/index.ts'
import type { Database, Tx } from '../../database/index.ts'
import { mulDivDown } from '../../kernel/index.ts'
import { CURRENT_VALUE } from '../../venues/index.ts'
import type { RebalanceParts } from '../parts.ts'
import { type Headroom, tighter } from './headroom.ts'
import { readLimitHeadrooms } from './read-headroom.ts'

/** The cap of an organization on a strategy, and what it holds there or is moving there. Base units. */
interface CapUsage {
  readonly strategyId: number
  readonly limit: bigint
  readonly used: bigint
}

/**
 * Reads the usage of all of an organization's caps, or of the cap on one strategy. A cap is a share of everything that
 * the organization holds of the token on that chain. Reservations of unfinished deployments count as holdings of the
 * strategy.
 */
export async function readCapUsage(
  db: Database | Tx,
  organizationId: number,
  strategyId?: number,
): Promise<CapUsage[]> {
  const { rows } = await sql<{ strategy_id: number; share_bps: number; whole: bigint; inside: bigint }>`
    select c.strategy_id, c.share_bps,
      (select coalesce(sum(b.available + b.reserved + b.exiting), 0) from ledger_balances b
        join wallets w on w.organization_id = b.organization_id and w.id = b.wallet_id
        where b.organization_id = c.organization_id and b.token_address = capped.token_address
          and w.blockchain = capped.blockchain)
      + (select coalesce(sum(${CURRENT_VALUE}), 0) from allocations a join strategies s on s.id = a.strategy_id
        where a.organization_id = c.organization_id and s.token_address = capped.token_address
          and s.blockchain = capped.blockchain and a.status <> 'CLOSED') as whole,
      (select coalesce(sum(${CURRENT_VALUE}), 0) from allocations a join strategies s on s.id = a.strategy_id
        where a.organization_id = c.organization_id and a.strategy_id = c.strategy_id and a.status <> 'CLOSED')
      + (select coalesce(sum(x.pending + x.claimable), 0) from exits x
        where x.organization_id = c.organization_id and x.strategy_id = c.strategy_id and x.state <> 'claimed')
      + (select coalesce(sum(r.amount), 0) from reservations r
        join operations o on o.organization_id = r.organization_id and o.id = r.operation_id
        where r.organization_id = c.organization_id and r.released_at is null and o.strategy_id = c.strategy_id) as inside
    from strategy_caps c join strategies capped on capped.id = c.strategy_id
    where c.organization_id = ${organizationId} and (${strategyId ?? null}::bigint is null or c.strategy_id = ${strategyId ?? null})
  `.execute(db)
  return rows.map((row) => ({
    strategyId: row.strategy_id,
    limit: mulDivDown(row.whole, BigInt(row.share_bps), 10_000n),
    used: row.inside,
  }))
}

/**
 * What the organization's circuit breakers, caps and limits leave, by strategy; strategies without any are missing. Never
 * negative.
 */
export type Headrooms = ReadonlyMap<number, Headroom>

export async function readCapHeadroom(
  { db, rebalancing }: Pick<RebalanceParts, 'db' | 'rebalancing'>,
  organizationId: number,
  stopped: ReadonlyMap<number, StoppedStrategy>,
): Promise<Headrooms> {
  const caps = await readCapUsage(db, organizationId)
  const limits = await readLimitHeadrooms(db, rebalancing, organizationId)
  const capHeadrooms = new Map(caps.map(({ strategyId, limit, used }) => [strategyId, capHeadroom(limit - used)]))
  const all = new Map([...limits, ...capHeadrooms])
  const left = new Map(
    [...all].map(([strategyId, headroom]) => [strategyId, tighter(headroom, limits.get(strategyId))]),
  )
  for (const [strategyId, { reason }] of stopped) left.set(strategyId, { amount: 0n, because: reason })
  return left
}

const capHeadroom = (amount: bigint): Headroom => ({ amount, because: "the organization's share in it is at its cap" })

import { sql } from 'kysely'
import { type AllocationView, allocationAt, earnedUntil } from '../../allocations/index.ts'
import type { Database } from '../../database/index.ts'
import { apyFromGain, DAY_MS, mulDivDown, YEAR_MS } from '../../kernel/index.ts'
import type { Parts } from '../lifecycle/parts.ts'
import type { OperationView } from './operation-view.ts'

/** Scale of a gain: twelve digits after the point. */
const GAIN_SCALE = 1_000_000_000_000n

/** What a completed supply has earned. Amounts in base units. */
export interface SupplyYield {
  readonly principal: bigint
  /**
   * Its share of the position's yield, in proportion to its amount and to the time since it landed; rounding may make it
   * negative by one unit.
   */
  readonly earned: bigint
  /**
   * The APY of the position's yield on its average principal, over the time since the supply landed; the strategy's
   * current one within the first day. Withdrawn principal earns no more, so the yield on the whole amount would be no rate.
   */
  readonly effectiveApy: number
  readonly days: number
}

/** What a completed supply has earned to date, or until its position closed; `undefined` for any other operation. */
export async function calculateSupplyYield(
  parts: Pick<Parts, 'db'>,
  organizationId: number,
  { operationId, type, state, walletId, strategyId, amount, estimatedApy }: OperationView,
): Promise<SupplyYield | undefined> {
  if (type !== 'SUPPLY' || state !== 'COMPLETED') return undefined
  const landed = await parts.db
    .selectFrom('transactions')
    .select('included_at')
    .where('organization_id', '=', organizationId)
    .where('operation_id', '=', operationId)
    .where('kind', '=', 'supply')
    .executeTakeFirst()
  const at = landed?.included_at
  if (!at) return undefined
  const position = await allocationAt(parts.db, organizationId, { walletId, strategyId, at })
  if (!position) return undefined
  const until = earnedUntil(position)
  const durationMs = Math.max(0, until.getTime() - at.getTime())
  const { supplied, withdrawn } = await principalOverTime(parts.db, organizationId, position, until)
  const lifetime = position.realizedYield + position.yieldEarned
  const earned = supplied === 0n ? 0n : mulDivDown(lifetime, amount * BigInt(durationMs), supplied)
  const days = durationMs / DAY_MS
  const held = supplied - withdrawn
  // Over less than a day, a measured rate is noise.
  const effectiveApy =
    days < 1 || held <= 0n ? estimatedApy : apyFromGain(gainOf(lifetime, durationMs, held), durationMs)
  return { principal: amount, earned, effectiveApy, days }
}

/** What a position gained within a time on each unit that it held; `held` in base units × milliseconds. */
const gainOf = (lifetime: bigint, durationMs: number, held: bigint): number =>
  Number(mulDivDown(lifetime * GAIN_SCALE, BigInt(durationMs), held)) / Number(GAIN_SCALE)

interface PrincipalOverTime {
  readonly supplied: bigint
  /** The principal in what left: `actual_apy` of a withdrawal says what it gained since the position was opened. */
  readonly withdrawn: bigint
}

/**
 * Base units × milliseconds, over the completed supplies and withdrawals of a position, from when each landed until a
 * moment.
 */
async function principalOverTime(
  db: Database,
  organizationId: number,
  { walletId, strategyId, openedAt }: AllocationView,
  until: Date,
): Promise<PrincipalOverTime> {
  const lastedMs = sql`round(extract(epoch from ${until}::timestamptz - t.included_at) * 1000)`
  const openMs = sql`extract(epoch from t.included_at - ${openedAt}::timestamptz) * 1000`
  // The inverse of an APY. A request of a slow withdrawal has none, and counts as a whole.
  const growth = sql`coalesce(nullif(power(1 + o.actual_apy, (${openMs} / ${YEAR_MS}::float8)::float8), 0), 1)`
  const { rows } = await sql<PrincipalOverTime>`
    select coalesce(sum(moved * ms) filter (where type = 'SUPPLY'), 0) as supplied,
      coalesce(sum(round(moved / growth::numeric) * ms) filter (where type = 'UNWIND'), 0) as withdrawn
    from (
      select o.type, coalesce(o.settled_amount, o.amount, 0) as moved, ${lastedMs} as ms, ${growth} as growth
      from operations o
      join transactions t on t.organization_id = o.organization_id and t.operation_id = o.id
        and t.kind in ('supply', 'unwind', 'exit_request')
      where o.organization_id = ${organizationId} and o.wallet_id = ${walletId} and o.strategy_id = ${strategyId}
        and o.state = 'COMPLETED' and t.included_at between ${openedAt} and ${until}
    ) as movements
  `.execute(db)
  return rows[0]!
}

import { sql } from 'kysely'
import { type AllocationView, allocationAt, earnedUntil } from '../../allocations/index.ts'
import type { Database } from '../../database/index.ts'
import { apyFromGain, DAY_MS, mulDivDown } from '../../kernel/index.ts'
import type { Parts } from '../lifecycle/parts.ts'
import type { OperationView } from './operation-view.ts'

/** What a completed supply has earned. Amounts in base units. */
export interface SupplyYield {
  readonly principal: bigint
  /**
   * Its share of the position's yield, in proportion to its amount and to the time since it landed; rounding may make it
   * negative by one unit.
   */
  readonly earned: bigint
  /** The APY of what it has earned since it landed; the strategy's current one within the first day. */
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
  const all = await suppliedOverTime(parts.db, organizationId, position, until)
  const lifetime = position.realizedYield + position.yieldEarned
  const earned = all === 0n ? 0n : mulDivDown(lifetime, amount * BigInt(durationMs), all)
  const days = durationMs / DAY_MS
  // Over less than a day, a measured rate is noise.
  const effectiveApy =
    days < 1 ? estimatedApy : amount === 0n ? 0 : apyFromGain(Number(earned) / Number(amount), durationMs)
  return { principal: amount, earned, effectiveApy, days }
}

/** Base units × milliseconds, over the completed supplies of a position, from when each landed until a moment. */
async function suppliedOverTime(
  db: Database,
  organizationId: number,
  { walletId, strategyId, openedAt }: AllocationView,
  until: Date,
): Promise<bigint> {
  const { rows } = await sql<{ supplied: bigint }>`
    select coalesce(sum(coalesce(o.settled_amount, o.amount)
      * round(extract(epoch from ${until}::timestamptz - t.included_at) * 1000)), 0) as supplied
    from operations o
    join transactions t on t.organization_id = o.organization_id and t.operation_id = o.id and t.kind = 'supply'
    where o.organization_id = ${organizationId} and o.wallet_id = ${walletId} and o.strategy_id = ${strategyId}
      and o.type = 'SUPPLY' and o.state = 'COMPLETED' and t.included_at between ${openedAt} and ${until}
  `.execute(db)
  return rows[0]!.supplied
}

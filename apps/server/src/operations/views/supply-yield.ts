import { allocationAt, earnedUntil } from '../../allocations/index.ts'
import { apyFromGain, DAY_MS, mulDivDown } from '../../kernel/index.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { listPositionOperationViews } from './list-operation-views.ts'
import type { OperationView } from './operation-view.ts'

/** What a completed supply has earned. Amounts in base units. */
export interface SupplyYield {
  readonly principal: bigint
  /** Its share of the position's yield, in proportion to its amount; rounding may make it negative by one unit. */
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
  const operations = await listPositionOperationViews(parts, organizationId, position)
  const supplied = operations
    .filter((operation) => operation.type === 'SUPPLY' && operation.state === 'COMPLETED')
    .reduce((sum, operation) => sum + operation.amount, 0n)
  const lifetime = position.realizedYield + position.yieldEarned
  const earned = supplied === 0n ? 0n : mulDivDown(lifetime, amount, supplied)
  const days = Math.max(0, (earnedUntil(position).getTime() - at.getTime()) / DAY_MS)
  // Over less than a day, a measured rate is noise.
  const effectiveApy =
    days < 1 ? estimatedApy : amount === 0n ? 0 : apyFromGain(Number(earned) / Number(amount), days * DAY_MS)
  return { principal: amount, earned, effectiveApy, days }
}

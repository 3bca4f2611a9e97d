import { sql } from 'kysely'
import { type Database, selectCount } from '../../database/index.ts'
import { toSumUnits } from '../../kernel/index.ts'
import { isUnfinished } from '../lifecycle/states/operation-states.ts'

/** Statistics of an organization's operations. */
export interface OperationStatistics {
  readonly total: number
  readonly completed: number
  /** Finished without completing, rejected and aborted ones included. */
  readonly failed: number
  readonly rejected: number
  readonly aborted: number
  readonly pending: number
  /** The total that completed supplies deployed, as a sum over tokens (see kernel `SUM_DECIMALS`). */
  readonly deployed: bigint
  /** From creation to completion, on average; 0 without completed operations. */
  readonly averageCompletionMs: number
}

/** Statistics of all operations of an organization, from maintained counts and sums (spec 2.2). */
export async function operationStatistics(
  { db }: { db: Database },
  organizationId: number,
): Promise<OperationStatistics> {
  const countQuery = selectCount(db, { entity: 'operations', organizationId, walletProfileId: null })
  const counts = await countQuery.select('counters.state').groupBy('counters.state').execute()
  const sums = await db
    .selectFrom('operation_sums')
    .innerJoin('strategies', 'strategies.id', 'operation_sums.strategy_id')
    .select(['operation_sums.type', 'strategies.token_decimals'])
    .select([
      sql<bigint>`sum(operation_sums.moved)`.as('moved'),
      sql<number>`sum(operation_sums.completed)::bigint`.as('completed'),
      sql<number>`sum(operation_sums.milliseconds)::bigint`.as('milliseconds'),
    ])
    .where('operation_sums.organization_id', '=', organizationId)
    .groupBy(['operation_sums.type', 'strategies.token_decimals'])
    .execute()

  const statistics = { total: 0, completed: 0, failed: 0, rejected: 0, aborted: 0, pending: 0 }
  for (const { state, total } of counts) {
    statistics.total += total
    if (state === 'COMPLETED') statistics.completed += total
    else if (isUnfinished(state as Parameters<typeof isUnfinished>[0])) statistics.pending += total
    else statistics.failed += total
    if (state === 'REJECTED') statistics.rejected += total
    if (state === 'ABORTED') statistics.aborted += total
  }
  const done = sums.reduce((count, { completed }) => count + completed, 0)
  const milliseconds = sums.reduce((sum, row) => sum + row.milliseconds, 0)
  const supplied = sums.filter(({ type }) => type === 'SUPPLY')
  return {
    ...statistics,
    deployed: supplied.reduce((sum, { moved, token_decimals }) => sum + toSumUnits(moved, token_decimals), 0n),
    averageCompletionMs: done === 0 ? 0 : milliseconds / done,
  }
}

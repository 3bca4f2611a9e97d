import { sql } from 'kysely'
import { type Database, preparedQuery, type Tx } from '../../database/index.ts'
import {
  AWAITED_JSON,
  AWAITED_PROGRESS,
  type AwaitedRow,
  type AwaitedWithdrawal,
  awaitedFrom,
} from './awaited-withdrawal.ts'

/** A position by its operational wallet and strategy. */
export interface AwaitingPosition {
  readonly opWalletId: number | null
  readonly strategyId: number
}

/** The open awaited withdrawals of these positions. One statement. */
export async function readAwaited(
  db: Database | Tx,
  organizationId: number,
  positions: readonly AwaitingPosition[],
): Promise<(position: AwaitingPosition) => AwaitedWithdrawal | undefined> {
  const asked = positions.filter(({ opWalletId }) => opWalletId !== null)
  if (asked.length === 0) return () => undefined
  const { rows } = await sql<{ op_wallet_id: number; found: AwaitedRow }>`
    select a.op_wallet_id, ${AWAITED_JSON} as found
    from awaited_withdrawals a ${AWAITED_PROGRESS}
    where a.organization_id = ${organizationId} and a.state = 'open'
      and (a.op_wallet_id, a.strategy_id) in (
        select * from unnest(
          ${asked.map(({ opWalletId }) => opWalletId)}::bigint[], ${asked.map(({ strategyId }) => strategyId)}::bigint[]
        ))
  `.execute(db)
  return ({ opWalletId, strategyId }) => {
    const row = rows.find(({ op_wallet_id, found }) => op_wallet_id === opWalletId && found.strategy_id === strategyId)
    return row && awaitedFrom(row.found)
  }
}

const openOfPosition = preparedQuery(
  'awaited withdrawal of a position',
  (db, place: (name: 'organizationId' | 'opWalletId' | 'strategyId') => never) =>
    db
      .selectFrom('awaited_withdrawals')
      .select('id')
      .where('organization_id', '=', place('organizationId'))
      .where('op_wallet_id', '=', place('opWalletId'))
      .where('strategy_id', '=', place('strategyId'))
      // A literal: the index of open ones serves no query with a parameter.
      .where('state', '=', sql.lit('open')),
)

/** Whether a withdrawal of the position is awaited: then Weir deposits nothing there. */
export async function isAwaited(
  tx: Tx,
  { organizationId, opWalletId, strategyId }: AwaitingPosition & { readonly organizationId: number },
): Promise<boolean> {
  return (await openOfPosition(tx, { organizationId, opWalletId, strategyId })).length > 0
}

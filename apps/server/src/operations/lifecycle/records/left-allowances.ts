import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/index.ts'

/**
 * The body of a CTE: remembers the supplies of operational wallets that the CTE `steps`, as `s`, ends without success
 * after bytes of their approval were issued. The chain says later what is left of it.
 */
export function insertLeftAllowancesSql(organization: RawBuilder<unknown>, at: Date): RawBuilder<unknown> {
  return sql`
    insert into left_allowances (organization_id, operation_id, op_wallet_id, strategy_id, left_at)
    select ${organization}, s.operation_id, ow.id, s.strategy_id, ${at}::timestamptz
    from steps s
    join strategies on strategies.id = s.strategy_id
    join operational_wallets ow on ow.organization_id = ${organization} and ow.wallet_id = s.wallet_id
      and ow.token_address = strategies.token_address
    where s.ended and s.supplies and s.to_state <> 'COMPLETED' and exists (select 1 from transactions t
      where t.organization_id = ${organization} and t.operation_id = s.operation_id and t.kind = 'approve'
        and (t.state in ('pending', 'confirmed') or t.can_still_land))
    on conflict do nothing`
}

/** An ended supply of an operational wallet whose approval may have left an allowance. */
export interface LeftAllowance {
  readonly organizationId: number
  readonly opWalletId: number
  readonly strategyId: number
}

/**
 * Forgets what the wallet's ended supplies left to a strategy: the chain has no allowance. Keeps those whose approval may
 * still land.
 */
export async function deleteLeftAllowances(db: Database, left: LeftAllowance): Promise<void> {
  await db
    .deleteFrom('left_allowances')
    .where('organization_id', '=', left.organizationId)
    .where('op_wallet_id', '=', left.opWalletId)
    .where('strategy_id', '=', left.strategyId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('transactions')
            .select('transactions.id')
            .whereRef('transactions.organization_id', '=', 'left_allowances.organization_id')
            .whereRef('transactions.operation_id', '=', 'left_allowances.operation_id')
            .where('transactions.kind', '=', 'approve')
            .where('transactions.can_still_land', '=', true),
        ),
      ),
    )
    .execute()
}

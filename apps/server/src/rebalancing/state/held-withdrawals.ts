import { type RawBuilder, sql } from 'kysely'

/**
 * A withdrawal that was requested and paid, by a claim where the strategy pays later, no matter who claims it. The
 * request of one pays nothing.
 */
export const returnedOnRequest = sql`case
  when exists (select 1 from transactions t where t.organization_id = o.organization_id and t.operation_id = o.id
    and t.kind = 'exit_request') then false
  when o.origin <> 'rebalancer' then true
  else exists (select 1 from transactions t
    join exits x on x.organization_id = t.organization_id and x.wallet_id = o.wallet_id and x.strategy_id = o.strategy_id
    where t.organization_id = o.organization_id and t.operation_id = o.id and t.kind = 'exit_claim'
      and x.on_request and x.updated_at >= o.created_at) end`

/**
 * What an operation moved that was found late, as far as the ledger had posted it as external before: its reversal, after
 * it was found, is no transfer.
 */
export const postedBeforeFound = (posting: string): RawBuilder<bigint> => sql<bigint>`least(o.settled_amount, coalesce((
    select abs(sum(p.amount)) from ledger_postings p
    join ledger_entries e on e.organization_id = p.organization_id and e.id = p.entry_id
    where p.organization_id = o.organization_id and p.wallet_id = o.wallet_id and p.token_address = s.token_address
      and p.account = 'available' and e.kind = 'external_balance' and e.created_at < o.completed_at
      and ${sql.raw(posting)}
      and e.block_number >= (select max(t.block_number) from transactions t
        where t.organization_id = o.organization_id and t.operation_id = o.id)), 0))`

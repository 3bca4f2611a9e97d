import { sql } from 'kysely'
import { reclassifiedEntries } from '../../ledger/index.ts'

/**
 * A withdrawal that was requested and paid, by a claim where the strategy pays later, no matter who claims it. The
 * request of one pays nothing.
 */
const returnedOnRequest = sql`case
  when exists (select 1 from transactions t where t.organization_id = o.organization_id and t.operation_id = o.id
    and t.kind = 'exit_request') then false
  when o.origin <> 'rebalancer' then true
  else exists (select 1 from transactions t
    join exits x on x.organization_id = t.organization_id and x.wallet_id = o.wallet_id and x.strategy_id = o.strategy_id
    where t.organization_id = o.organization_id and t.operation_id = o.id and t.kind = 'exit_claim'
      and x.on_request and x.updated_at >= o.created_at) end`

/**
 * In SQL for an operational wallet `ow`: `held`, what withdrawals on request returned since a time; `last`, when the last
 * of them ended; and `left_since`, what left the wallet since the first: transfers, and money that a client deployed on
 * purpose.
 *
 * What was posted as external and turned out to be an operation's is no transfer. The wallet's external postings are read
 * only if something is held.
 */
export const heldWithdrawals = (since: Date) => sql`
  with returned as materialized (
    select o.settled_amount as amount, o.completed_at from operations o
    join strategies s on s.id = o.strategy_id and s.token_address = ow.token_address
    where o.organization_id = ow.organization_id and o.wallet_id = ow.wallet_id and o.type = 'UNWIND'
      and o.state = 'COMPLETED' and o.completed_at > ${since} and ${returnedOnRequest}
  ), first as materialized (
    select min(completed_at) as completed_at from returned having sum(amount) > 0
  ), spent as materialized (
    select o.settled_amount as amount from first
    join operations o on o.completed_at >= first.completed_at
    join strategies s on s.id = o.strategy_id and s.token_address = ow.token_address
    where o.organization_id = ow.organization_id and o.wallet_id = ow.wallet_id and o.type = 'SUPPLY'
      and o.origin <> 'rebalancer' and o.state = 'COMPLETED'
  ), outside as materialized (
    select p.amount + coalesce(taken.amount, 0) as amount from first
    join ledger_entries e on e.organization_id = ow.organization_id and e.kind = 'external_balance'
      and e.created_at >= first.completed_at
    join ledger_postings p on p.organization_id = e.organization_id and p.entry_id = e.id
    left join ${reclassifiedEntries(sql`ow.organization_id`)} taken on taken.entry_id = e.id
    where p.wallet_id = ow.wallet_id and p.token_address = ow.token_address and p.account = 'available'
  )
  select (select sum(amount) from returned) as held, (select max(completed_at) from returned) as last,
    coalesce((select -sum(amount) from outside where amount < 0), 0)
      + coalesce((select sum(amount) from spent), 0) as left_since
`

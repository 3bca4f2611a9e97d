import type { SimulationRun } from '../simulation-run.ts'
import { Violation } from '../violation.ts'

/** Breaks whose states, amounts or events contradict each other. One statement. */
const CONTRADICTIONS = {
  name: 'breaks',
  text: `with told as (
      select organization_id, object_id as id, event, (data ->> 'amountBaseUnits')::numeric as amount,
        lag(event) over own as event_before, lag((data ->> 'amountBaseUnits')::numeric) over own as amount_before,
        lead(event) over own is null as is_last
      from outbox where object_type = 'ledger_break' window own as (partition by organization_id, object_id order by id)
    ), found as (
      select b.id, b.amount, b.accepted_amount, t.event, t.amount as told, case when b.closed_at is not null then 'closed'
        when b.accepted_at is not null then 'accepted' else 'opened' end as state
      from ledger_breaks b left join told t on t.organization_id = b.organization_id and t.id = b.id and t.is_last
    )
    select id, concat('is ', state, ', and its last event is ', coalesce(event, 'none')) as what from found
      where event is distinct from 'break.' || state
    union all
    select id, concat('is accepted at ', accepted_amount, ', and is ', amount, ' now') from found
      where state = 'accepted' and amount > accepted_amount
    union all
    select id, concat('was accepted at ', told, ', and is stored as accepted at ', accepted_amount) from found
      where state = 'accepted' and told <> accepted_amount
    union all
    select id, concat('was accepted at ', amount_before, ', and opened again at ', amount) from told
      where event = 'break.opened' and event_before = 'break.accepted' and amount <= amount_before
    union all
    select id, concat(event, ' follows ', coalesce(event_before, 'nothing')) from told
      where case event when 'break.opened' then event_before <> 'break.accepted'
        when 'break.accepted' then event_before is distinct from 'break.opened'
        else event_before is null or event_before = 'break.closed' end
    limit 1`,
}

/**
 * A break that a person accepted stays so until it grows above that amount or closes; each change has its event, in its
 * order. What it leaves in the ledger is checked with the chain.
 */
export async function checkBreaks({ database }: SimulationRun): Promise<void> {
  const { rows } = await database.reader.query<{ id: number; what: string }>(CONTRADICTIONS)
  if (rows.length > 0) throw new Violation(`break ${rows[0]!.id} ${rows[0]!.what}`)
}

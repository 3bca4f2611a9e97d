import type { SimulationRun } from '../simulation-run.ts'
import { Violation } from '../violation.ts'

/** More than any rounding of the simulated markets: a hundredth of a token. */
const DUST = 10_000n

interface Row {
  readonly entry: number | null
  readonly kind: string | null
  readonly amount: string | null
  readonly posted: string
  readonly emitted: string
  readonly fees: string
  readonly fee_events: string
  readonly last_entry: number
  readonly last_event: number
}

const NEW_LOSSES = {
  name: 'new losses',
  text: `with posted as (
      select e.id, e.kind, p.amount from ledger_entries e join ledger_postings p
        on p.organization_id = e.organization_id and p.entry_id = e.id
      where e.id > $1 and p.account = 'yield' and p.amount > 0
    ), wrong as (select id as entry, kind, amount::text as amount from posted where kind not in ('loss', 'fee') and amount > $3::numeric
      order by id limit 1)
    select wrong.*, (select coalesce(sum(amount), 0) from posted where kind = 'loss')::text as posted,
      (select coalesce(sum((data ->> 'amount')::numeric), 0) from outbox
        where id > $2 and event = 'allocation.loss_booked')::text as emitted,
      (select coalesce(sum(amount), 0) from posted where kind = 'fee')::text as fees,
      (select coalesce(sum((data ->> 'amount')::numeric), 0) from outbox
        where id > $2 and event = 'allocation.fee_booked')::text as fee_events,
      (select coalesce(max(id), 0) from ledger_entries) as last_entry, (select coalesce(max(id), 0) from outbox) as last_event
    from (select) one left join wrong on true`,
}

interface LosingRun extends SimulationRun {
  /** The last ledger entry and event that the check has seen. */
  readonly lossesSeen: { entry: number; event: number }
}

/** A price per share that fell is a loss, what a deposit cost is a fee, neither is yield, and each has its event. */
export async function checkLosses({ database, lossesSeen, readsAreExact }: LosingRun): Promise<void> {
  const { rows } = await database.reader.query<Row>({
    ...NEW_LOSSES,
    values: [lossesSeen.entry, lossesSeen.event, DUST.toString()],
  })
  const { entry, kind, amount, posted, emitted, fees, fee_events, last_entry, last_event } = rows[0]!
  // A movement whose block's state is pruned is valued at a later price, so a loss cannot be told apart then.
  if (entry !== null && readsAreExact)
    throw new Violation(`entry ${entry} of ${kind} takes ${amount} from what was earned, and is no loss and no fee`)
  if (posted !== emitted) throw new Violation(`losses of ${posted} were posted, and events report ${emitted}`)
  if (fees !== fee_events) throw new Violation(`fees of ${fees} were posted, and events report ${fee_events}`)
  Object.assign(lossesSeen, { entry: Number(last_entry), event: Number(last_event) })
}

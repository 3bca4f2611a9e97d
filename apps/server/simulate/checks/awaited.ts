import type { SimulationRun } from '../simulation-run.ts'
import { Violation } from '../violation.ts'

interface Row {
  readonly id: number
  readonly amount: string | null
  readonly fetched: string
  readonly unfinished: number
}

const AWAITED = {
  name: 'awaited withdrawals',
  text: `select a.id, a.amount::text as amount,
      coalesce(sum(o.settled_amount) filter (where o.state = 'COMPLETED'), 0)::text as fetched,
      count(*) filter (where o.state in ('PLANNING', 'PENDING_APPROVAL', 'EXECUTING', 'CONFIRMING'))::int as unfinished
    from awaited_withdrawals a
    join awaited_withdrawal_operations l on l.organization_id = a.organization_id and l.awaited_id = a.id
    join operations o on o.organization_id = l.organization_id and o.id = l.operation_id
    group by a.organization_id, a.id, a.amount order by a.id`,
}

/** Deposits that the rebalancer planned where a withdrawal was awaited at that time. */
const DEPOSITS = {
  name: 'deposits where a withdrawal is awaited',
  text: `select o.id, o.strategy_id as strategy, a.id as awaited from operations o
    join awaited_withdrawals a on a.organization_id = o.organization_id and a.op_wallet_id = o.op_wallet_id
      and a.strategy_id = o.strategy_id
    where o.type = 'SUPPLY' and o.origin = 'rebalancer' and a.created_at < o.created_at
      and (a.state = 'open' or a.ended_at > o.created_at) order by o.id limit 1`,
}

/** Interest that a position earns between the plan of a full withdrawal and its landing: a part of this many. */
const INTEREST = 100n

/** No awaited withdrawal pays more than was requested, has two operations at once, or takes back what Weir deposits. */
export async function checkAwaited(run: SimulationRun): Promise<void> {
  const { rows } = await run.database.reader.query<Row>(AWAITED)
  for (const { id, amount, fetched, unfinished } of rows) {
    if (unfinished > 1) throw new Violation(`awaited withdrawal ${id} has ${unfinished} unfinished operations`)
    if (amount === null) continue
    const requested = BigInt(amount)
    if (BigInt(fetched) > requested + requested / INTEREST)
      throw new Violation(`awaited withdrawal ${id} of ${amount} fetched ${fetched}`)
  }
  const { rows: deposits } = await run.database.reader.query<{ id: number; strategy: number; awaited: number }>(
    DEPOSITS,
  )
  const [deposit] = deposits
  if (deposit)
    throw new Violation(
      `operation ${deposit.id} deploys into strategy ${deposit.strategy}, where withdrawal ${deposit.awaited} is awaited`,
    )
}

import { backoffMs } from '../../src/rebalancing/exclusions/backoff.ts'
import type { SimulationRun } from '../simulation-run.ts'
import { Violation } from '../violation.ts'

/** A strategy that refused a move is left out for the pause that its refusals in a row ask for. */
export async function checkRefusals(run: SimulationRun): Promise<void> {
  const { rows } = await run.database.reader.query<{
    strategy_id: number
    op_wallet_id: number
    failures: number
    pause: number
  }>(
    `select strategy_id, op_wallet_id, failures, (extract(epoch from until - refused_at) * 1000)::int as pause
      from refused_moves order by op_wallet_id, strategy_id`,
  )
  for (const { strategy_id, op_wallet_id, failures, pause } of rows) {
    if (pause === backoffMs(failures)) continue
    throw new Violation(
      `strategy ${strategy_id} refused wallet ${op_wallet_id} ${failures} times and is asked again after ${pause} ms`,
    )
  }
}

/**
 * What an agent refused is left out too: 30 seconds at least, unless the buffer or the switch has changed. A rejection, or
 * a move that succeeded, comes between two others.
 */
export async function checkAgentRefusals(run: SimulationRun): Promise<void> {
  const { rows } = await run.database.reader.query<{ id: number; refused: number; strategy_id: number; after: number }>(
    `select o.id, r.id as refused, o.strategy_id, (extract(epoch from o.created_at - r.completed_at) * 1000)::int as after
      from operations o
      join operational_wallets ow on ow.organization_id = o.organization_id and ow.id = o.op_wallet_id
      join lateral (
        select b.id, b.state, b.failure_reason, b.created_at, b.completed_at from operations b
        where b.organization_id = o.organization_id and b.op_wallet_id = o.op_wallet_id and b.id < o.id
          and b.strategy_id = o.strategy_id and b.type = o.type and b.origin = 'rebalancer'
          and (b.purpose = 'claim') = (o.purpose = 'claim')
        order by b.id desc limit 1
      ) r on r.state = 'FAILED' and r.failure_reason = 'SUBMISSION'
      where o.origin = 'rebalancer' and o.type <> 'REVOKE' and ow.updated_at < r.created_at
        and o.created_at < r.completed_at + $1 * interval '1 millisecond'
      order by o.id limit 1`,
    [backoffMs(1)],
  )
  const [found] = rows
  if (!found) return
  const { id, refused, strategy_id, after } = found
  throw new Violation(
    `operation ${id} asks strategy ${strategy_id} again ${after} ms after an agent refused operation ${refused}`,
  )
}

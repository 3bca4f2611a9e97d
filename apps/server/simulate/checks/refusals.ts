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

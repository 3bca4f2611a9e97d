import type { SimulationRun } from '../simulation-run.ts'
import { Violation } from '../violation.ts'

/** At rest nothing is unfinished, in flight, reserved, missing or unreconciled. */
export async function checkNothingOutstanding(run: SimulationRun): Promise<void> {
  const { rows: left } = await run.database.reader.query<{ what: string; id: number }>(
    `select 'an operation is unfinished' as what, id from operations
        where state in ('PLANNING', 'PENDING_APPROVAL', 'EXECUTING', 'CONFIRMING')
      union all select 'a transaction is in flight', id from transactions where state in ('pending', 'unsigned')
      union all select 'something is reserved', operation_id from reservations where released_at is null
      union all select 'something is reserved', wallet_id from ledger_balances where reserved <> 0
      union all select 'a break is open', id from ledger_breaks where closed_at is null
      union all select 'a wallet is not reconciled', id from wallets where reconciled_block is null`,
  )
  if (left.length > 0) throw new Violation(`at rest ${left[0]!.what}: ${left[0]!.id}`)
}

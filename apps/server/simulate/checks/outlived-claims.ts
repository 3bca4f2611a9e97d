import type { SimulationRun } from '../simulation-run.ts'
import { Violation } from '../violation.ts'

/** What another worker evaluated while the one that had claimed it hung, and the last operation that was planned by then. */
export interface OutlivedClaims {
  readonly opWalletIds: readonly number[]
  readonly lastOperationId: number
}

const NONE: OutlivedClaims = { opWalletIds: [], lastOperationId: 0 }

/** The operational wallets that a worker claimed until then, and has not evaluated. */
export async function claimedUntil({ database }: SimulationRun, until: Date): Promise<readonly number[]> {
  const { rows } = await database.reader.query<{ id: string }>(
    'select id from operational_wallets where due_at = $1 order by id',
    [until],
  )
  return rows.map(({ id }) => Number(id))
}

/** Those of them that were evaluated at this moment. Their claims were outlived, whatever is planned for them from here on. */
export async function outlivedOf(
  { database, clock }: SimulationRun,
  claimed: readonly number[],
): Promise<OutlivedClaims> {
  if (claimed.length === 0) return NONE
  const { rows } = await database.reader.query<{ id: string; last: string }>(
    `select id, (select coalesce(max(id), 0) from operations) as last from operational_wallets
      where id = any($1) and last_evaluation->>'at' = $2 order by id`,
    [claimed, clock.now().toISOString()],
  )
  return { opWalletIds: rows.map(({ id }) => Number(id)), lastOperationId: Number(rows[0]?.last ?? 0) }
}

/** A worker that outlived its claim plans nothing: another one has read more, and decided since. */
export async function checkOutlived(
  { database }: SimulationRun,
  { opWalletIds, lastOperationId }: OutlivedClaims = NONE,
): Promise<void> {
  const { rows } = await database.reader.query<{ id: string; type: string; own: string }>(
    `select id, type, op_wallet_id as own from operations where op_wallet_id = any($1) and id > $2 order by id`,
    [opWalletIds, lastOperationId],
  )
  const [planned] = rows
  if (!planned) return
  const { id, type, own } = planned
  throw new Violation(`operation ${id}, ${type}, was planned by a worker that outlived its claim on wallet ${own}`)
}

import type { SimulationRun } from '../simulation-run.ts'

const TOKEN = 1_000_000n
/** A position this small cannot be withdrawn: its protocol rounds it to zero. */
const DUST = 10n

/**
 * Describes what the rebalancer and healthy agents have left unsettled. `undefined`: every buffer is full or all
 * deployed funds are back, and no deployable funds are idle above a buffer.
 */
export async function findUnsettled(run: SimulationRun): Promise<string | undefined> {
  const { rows: unfinished } = await run.database.reader.query<{ id: number; state: string }>(
    `select id, state from operations where state in ('PLANNING', 'PENDING_APPROVAL', 'EXECUTING', 'CONFIRMING')
      order by id limit 1`,
  )
  if (unfinished[0]) return `operation ${unfinished[0].id} is ${unfinished[0].state}`
  const { rows } = await run.database.reader.query<
    Record<'id' | 'buffer' | 'available' | 'deployed', string> & { on: boolean }
  >(
    `select ow.id, ow.enable_yield as on, ow.buffer_amount::text as buffer, coalesce(b.available, 0)::text as available,
        coalesce(b.deployed, 0)::text as deployed
      from operational_wallets ow left join ledger_balances b on b.organization_id = ow.organization_id
        and b.wallet_id = ow.wallet_id and b.token_address = ow.token_address order by ow.id`,
  )
  for (const row of rows) {
    const [buffer, available, deployed] = [BigInt(row.buffer), BigInt(row.available), BigInt(row.deployed)]
    const state = `operational wallet ${row.id} has ${available} available and ${deployed} deployed with a buffer of ${buffer}`
    if (buffer - available >= TOKEN / 100n && deployed > DUST) return `${state}: the buffer is not restored`
    if (row.on && available - buffer >= TOKEN) return `${state}: funds are idle`
  }
  return undefined
}

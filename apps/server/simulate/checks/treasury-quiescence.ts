import type { SimulationRun } from '../simulation-run.ts'

const TOKEN = 1_000_000n
/** A position this small cannot be withdrawn: its protocol rounds it to zero. */
const DUST = 10n
/** Less than this is not worth a transaction to the rebalancer, whatever it is for. */
export const WORTH_A_MOVE = TOKEN / 100n
/** A market keeps this much of a hundredth of a token, for the interest until a withdrawal lands. */
const SPARED = 20n

/**
 * What each market would pay to a wallet now, in base units, and whether all of a token's markets accept deposits, one
 * among them whose rate is not negative (`paying`: their keys).
 */
export interface MarketLimitsOfWallets {
  payable(token: string, owner: string): readonly bigint[]
  accept(token: string, paying: ReadonlySet<string>): boolean
}

/**
 * Describes what the rebalancer and healthy agents have left unsettled. `undefined`: every buffer is full or all
 * deployed funds are back, no deployable funds are idle above a buffer, no allowance is left, and nothing is awaited.
 * Where markets cannot pay everything, a buffer must be restored as far as they can.
 */
export async function findUnsettled(run: SimulationRun, limits?: MarketLimitsOfWallets): Promise<string | undefined> {
  const { rows: unfinished } = await run.database.reader.query<{ id: number; state: string }>(
    `select id, state from operations where state in ('PLANNING', 'PENDING_APPROVAL', 'EXECUTING', 'CONFIRMING')
      order by id limit 1`,
  )
  if (unfinished[0]) return `operation ${unfinished[0].id} is ${unfinished[0].state}`
  const { rows: waiting } = await run.database.reader.query<{ id: number; worth: string }>(
    `select x.id, (x.pending + x.claimable)::text as worth from exits x join strategies s on s.id = x.strategy_id
      join operational_wallets ow on ow.wallet_id = x.wallet_id and ow.token_address = s.token_address
      where x.pending + x.claimable >= $1 order by x.id limit 1`,
    [WORTH_A_MOVE.toString()],
  )
  if (waiting[0]) return `exit ${waiting[0].id} of ${waiting[0].worth} is not claimed`
  const { rows: left } = await run.database.reader.query<{ id: number }>(
    `select l.operation_id as id from left_allowances l where not exists (select 1 from transactions t
      where t.operation_id = l.operation_id and t.kind = 'approve' and t.can_still_land) order by 1 limit 1`,
  )
  if (left[0]) return `an allowance that operation ${left[0].id} left is not revoked`
  const awaiting = await openAwaited(run)
  const { rows } = await run.database.reader.query<
    Record<'id' | 'buffer' | 'available' | 'deployed' | 'token' | 'address', string> & { on: boolean }
  >(
    `select ow.id, ow.enable_yield as on, ow.buffer_amount::text as buffer, coalesce(b.available, 0)::text as available,
        coalesce(b.deployed, 0)::text as deployed, ow.token_address as token, w.address
      from operational_wallets ow join wallets w on w.id = ow.wallet_id left join ledger_balances b on b.organization_id = ow.organization_id
        and b.wallet_id = ow.wallet_id and b.token_address = ow.token_address order by ow.id`,
  )
  const { rows: paid } = await run.database.reader.query<{ key: string }>(
    'select key from strategies where apy is null or apy >= 0',
  )
  const paying = new Set(paid.map(({ key }) => key))
  for (const row of rows) {
    const [buffer, available, deployed] = [BigInt(row.buffer), BigInt(row.available), BigInt(row.deployed)]
    const state = `operational wallet ${row.id} has ${available} available and ${deployed} deployed with a buffer of ${buffer}`
    const missing = buffer - available
    const payable = limits?.payable(row.token, row.address) ?? [deployed]
    const sum = payable.reduce((total, amount) => total + amount, 0n)
    const isLimited = sum + DUST < deployed
    // The rebalancer leaves what is too little for a transaction, unless it fills the buffer.
    const spared = isLimited ? SPARED : 0n
    const isPayable = sum >= missing + spared || payable.some((amount) => amount >= WORTH_A_MOVE + spared)
    if (!isLimited && awaiting.get(row.id)) return `${state}: an awaited withdrawal is not fetched`
    if (missing >= WORTH_A_MOVE && isPayable) return `${state}: the buffer is not restored`
    // Nothing is deposited where a withdrawal is awaited, and perhaps no other market takes the token.
    const mayDeploy = !awaiting.has(row.id) && (limits?.accept(row.token, paying) ?? true)
    if (row.on && available - buffer >= TOKEN && mayDeploy) return `${state}: funds are idle`
  }
  return undefined
}

/** The operational wallets that await a withdrawal, and whether of more than a market spares. */
async function openAwaited(run: SimulationRun): Promise<ReadonlyMap<string, boolean>> {
  const { rows } = await run.database.reader.query<{ id: string; counts: boolean }>(
    `select a.op_wallet_id as id, bool_or(p.posted_value >= $1 and (a.amount is null or a.amount >= $1 + coalesce((
        select sum(o.settled_amount) from awaited_withdrawal_operations l
        join operations o on o.organization_id = l.organization_id and o.id = l.operation_id
        where l.organization_id = a.organization_id and l.awaited_id = a.id and o.state = 'COMPLETED'), 0))) as counts
      from awaited_withdrawals a
      join operational_wallets ow on ow.organization_id = a.organization_id and ow.id = a.op_wallet_id
      join allocations p on p.organization_id = a.organization_id and p.wallet_id = ow.wallet_id
        and p.strategy_id = a.strategy_id
      where a.state = 'open' group by a.op_wallet_id`,
    [(WORTH_A_MOVE + SPARED).toString()],
  )
  return new Map(rows.map(({ id, counts }) => [id, counts]))
}

import type { EvmRunState } from '../evm-run-state.ts'
import { Violation } from '../violation.ts'

interface Row {
  readonly id: number
  readonly type: 'SUPPLY' | 'UNWIND'
  readonly amount: string | null
  readonly token: string
  readonly address: string
  /** `null`: it keeps no buffer, or the buffer was changed since. */
  readonly buffer: string | null
}

const PLANS = {
  name: 'plans that rest on balances',
  text: `select o.id::float8 as id, o.type, o.amount::text as amount, s.token_address as token, w.address,
      own.buffer_amount::text as buffer
    from operations o join strategies s on s.id = o.strategy_id
      join wallets w on w.organization_id = o.organization_id and w.id = o.wallet_id
      left join operational_wallets own on own.organization_id = o.organization_id and own.id = o.op_wallet_id
        and own.updated_at <= o.created_at
    where o.id > $1 and (o.type = 'SUPPLY' or (o.type = 'UNWIND' and o.origin = 'rebalancer' and o.purpose = 'refill'))
    order by o.id`,
}

/**
 * No plan rests on a balance from before the last settled block, however far nodes lag: what the ledger has counted would
 * be deposited, or withdrawn, once more. A deposit fits into a balance of that block or a later one, and a refill into
 * what the buffer lacked there.
 */
export async function checkStaleBalances(run: EvmRunState): Promise<void> {
  const { rows } = await run.database.reader.query<Row>({ ...PLANS, values: [run.balancesSeen.operation] })
  for (const { id, type, amount, token, address, buffer } of rows) {
    run.balancesSeen.operation = id
    const since = balancesSince(run, token, address)
    const wrong = (what: string) => {
      throw new Violation(`operation ${id} rests on a balance from before the last settled block: it ${what}`)
    }
    if (type === 'SUPPLY') {
      const most = since.reduce((one, other) => (one > other ? one : other))
      if (BigInt(amount!) + BigInt(buffer ?? 0) > most)
        wrong(`deposits ${amount} above a buffer of ${buffer ?? 0}, and ${most} is the most that was there since`)
    } else if (buffer !== null) {
      const least = since.reduce((one, other) => (one < other ? one : other))
      const missing = BigInt(buffer) - least
      if (missing <= 0n || BigInt(amount ?? 0) > missing)
        wrong(
          `withdraws ${amount ?? 'everything'} for a buffer of ${buffer}, and ${least} is the least that was there since`,
        )
    }
  }
}

/** By block, from the one that was settled before these plans. */
function balancesSince({ cursors, world }: EvmRunState, token: string, address: string): readonly bigint[] {
  return world.blocks.slice(cursors.get('polygon') ?? 0).map(({ state }) => state.balance(token, address))
}

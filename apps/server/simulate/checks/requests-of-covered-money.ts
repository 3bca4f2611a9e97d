import type { EvmRunState } from '../evm-run-state.ts'
import { Violation } from '../violation.ts'
import { exitAt, isSlow } from '../world/exits.ts'
import { seconds } from '../world/world.ts'
import { LEAVES } from './breakers.ts'

/** The rebalancer ignores less. */
const DUST = 10_000n

/**
 * The keys of strategies of which a claim for the wallet of operation `o` ended without money, or was refused: what can be
 * claimed there counts for nothing until it is tried again.
 */
export const LEFT_OUT = `array(select l.key from strategies l
    where exists (select 1 from operations c where c.op_wallet_id = o.op_wallet_id and c.strategy_id = l.id
        and c.purpose = 'claim' and c.state in ('FAILED', 'ABORTED', 'REJECTED'))
      or exists (select 1 from refused_moves r where r.op_wallet_id = o.op_wallet_id and r.strategy_id = l.id
        and r.type = 'CLAIM'))`

const REQUESTS = {
  name: 'requests of the rebalancer',
  text: `select o.id, s.key as strategy, o.planned_value::text as worth, ow.buffer_amount::text as buffer,
      ow.token_address as token, w.address, ${LEAVES} as leaves,
      ${LEFT_OUT} as left_out
    from operations o join strategies s on s.id = o.strategy_id join operational_wallets ow on ow.id = o.op_wallet_id
      join wallets w on w.id = o.wallet_id
    where o.origin = 'rebalancer' and exists (select 1 from transactions t where t.operation_id = o.id
      and t.kind = 'exit_request') order by o.id`,
}

interface Row {
  readonly id: number
  readonly strategy: string
  readonly worth: string
  readonly buffer: string
  readonly token: string
  readonly address: string
  readonly leaves: boolean
  readonly left_out: readonly string[]
}

/** What a wallet has in the newest block, and what it requested back and has not claimed, save for claims left out. */
export function heldAndOnItsWay(
  { world }: Pick<EvmRunState, 'world'>,
  {
    token,
    address,
    leftOut,
  }: { readonly token: string; readonly address: string; readonly leftOut: readonly string[] },
) {
  const { state, time } = world.latest
  const exits = world.markets
    .filter((market) => isSlow(market) && market.token === token)
    .map((market) => ({ key: market.key, ...exitAt(state, market, address, seconds(time)) }))
  const expected = exits.map(({ key, pending, claimable }) => pending + (leftOut.includes(key) ? 0n : claimable))
  const onItsWay = expected.reduce((sum, amount) => sum + amount, 0n)
  return { held: state.balance(token, address), onItsWay, exits }
}

/**
 * When the rebalancer plans a request, the wallet's money, what is on its way and the request do not exceed the buffer,
 * unless an open circuit breaker withdraws everything. No money of the strategy waits for its cooldown or, save for a crumb,
 * for its claim after one.
 */
export async function checkRequests(run: EvmRunState): Promise<void> {
  const { rows } = await run.database.reader.query<Row>(REQUESTS)
  for (const { id, strategy, worth, buffer, token, address, leaves, left_out: leftOut } of rows) {
    if (run.requestsSeen.has(id)) continue
    run.requestsSeen.add(id)
    if (!run.readsAreExact) continue
    const { held, onItsWay, exits } = heldAndOnItsWay(run, { token, address, leftOut })
    if (!leaves && held + onItsWay + BigInt(worth) > BigInt(buffer) + DUST) {
      throw new Violation(
        `operation ${id} requests ${worth} while the wallet has ${held}, ${onItsWay} is on its way, and the buffer is ${buffer}`,
      )
    }
    const own = exits.find(({ key }) => key === strategy)
    if (strategy.startsWith('cooldown') && own && (own.pending > 0n || own.claimable >= DUST))
      throw new Violation(`operation ${id} starts a cooldown of ${own.pending + own.claimable} again`)
  }
}

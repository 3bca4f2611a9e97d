import type { EvmRunState } from '../evm-run-state.ts'
import { Violation } from '../violation.ts'
import { roomOf } from '../world/contracts.ts'

const DEPOSITS = {
  name: 'new deposits',
  text: `select o.id, o.amount::text as amount, s.key as strategy from operations o join strategies s on s.id = o.strategy_id
    where o.type = 'SUPPLY' and o.origin = 'rebalancer' and o.id > $1 order by o.id`,
}

/** When the rebalancer plans a deposit, its market accepts deposits, and its cap leaves room for it. */
export async function checkRooms(run: EvmRunState): Promise<void> {
  const { rows } = await run.database.reader.query<{ id: number; amount: string; strategy: string }>({
    ...DEPOSITS,
    values: [run.roomsSeen.operation],
  })
  for (const { id, amount, strategy } of rows) {
    run.roomsSeen.operation = Number(id)
    if (!run.readsAreExact) continue
    const { markets, latest } = run.world
    const market = markets.find(({ key }) => key === strategy)!
    if (!market.limits.accepts)
      throw new Violation(`operation ${id} deposits ${amount} into ${strategy}, which accepts no deposits`)
    const room = roomOf(latest.state, market)
    if (BigInt(amount) > room)
      throw new Violation(`operation ${id} deposits ${amount} into ${strategy}, whose cap leaves ${room}`)
  }
}

import type { EvmRun } from '../evm-run.ts'
import { Violation } from '../violation.ts'

const SETTLED = {
  name: 'settled movements',
  text: `select o.id, o.type, o.settled_amount::text as settled, s.token_address as token, t.sender, t.tx_hash as hash,
      t.block_number as block
    from operations o join strategies s on s.id = o.strategy_id join transactions t on t.operation_id = o.id
    where o.state = 'COMPLETED' and t.kind in ('supply', 'unwind') and t.finalized_at is not null order by o.id`,
}

interface Row {
  readonly id: number
  readonly type: string
  readonly settled: string | null
  readonly token: string
  readonly sender: string
  readonly hash: string
  readonly block: number
}

/** A completed operation moved something, and as much as it says (rule 7). */
export async function checkSettledAmounts({ database, world }: EvmRun): Promise<void> {
  const { rows } = await database.reader.query<Row>(SETTLED)
  for (const { id, type, settled, token, sender, hash, block } of rows) {
    const moves = world.blocks[block]?.moves.get(hash) ?? []
    const paid = moves
      .filter((move) => move.token === token && move.owner === sender)
      .reduce((sum, { amount }) => sum + amount, 0n)
    const moved = type === 'SUPPLY' ? -paid : paid
    if (moved === 0n || BigInt(settled ?? 0) !== moved)
      throw new Violation(`${type} ${id} is completed with ${settled}, and moved ${moved}`)
  }
}

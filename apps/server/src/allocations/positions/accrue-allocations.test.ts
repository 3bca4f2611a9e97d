// Also tested elsewhere: what is posted at the end of a day, and once (allocations/positions/accrue-positions.test.ts).
import { expect, test } from 'vitest'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { USDC } from '../../../testing/units.ts'
import { inTransaction } from '../../database/index.ts'
import { addMilliseconds } from '../../kernel/index.ts'
import { accrueAllocations } from './accrue-allocations.ts'
import { openAllocationFrom } from './allocation.ts'

const use = useEngine()

test('a position that a settlement posted later meanwhile, and one without a price, stay as they are', async () => {
  const { engine, client } = use
  await client.complete(await client.supply(400n * USDC))
  const row = () =>
    engine.db
      .selectFrom('allocations')
      .selectAll()
      .where('wallet_id', '=', client.wallet.walletId)
      .executeTakeFirstOrThrow()
  const before = await row()
  const strategy = engine.strategy('aave-v3:polygon:USDC')
  const price = (before.posted_price * 11n) / 10n
  const accrue = (chainTime: Date, prices: readonly { strategy: typeof strategy; price: bigint }[]) =>
    inTransaction(engine.db, (tx) =>
      accrueAllocations(tx, [openAllocationFrom(before)], {
        reading: { blockNumber: 1, blockHash: 'of the test', chainTime, prices },
        snapshot: true,
        at: engine.clock.now(),
      }),
    )
  await accrue(addMilliseconds(before.posted_at, -1), [{ strategy, price }])
  await accrue(addMilliseconds(before.posted_at, 1_000), [])
  const snapshots = engine.db.selectFrom('yield_snapshots').select('day').where('allocation_id', '=', before.id)
  expect([await row(), await snapshots.execute()]).toEqual([before, []])
})

import { expect, test } from 'vitest'
import { USDC } from '../../../testing/units.ts'
import { useEngine } from '../../../testing/use-engine.ts'
import { addMilliseconds } from '../../kernel/index.ts'
import { accruePositions } from '../index.ts'

const use = useEngine()

test('repeating the end of a day after a crash posts nothing twice, even at another price', async () => {
  const { engine, client } = use
  await client.complete(await client.supply(400n * USDC))
  const strategy = engine.strategy('aave-v3:polygon:USDC')
  const { latest } = await engine.chain.heads()
  const [now] = await engine.db.selectFrom('allocations').select('posted_price').execute()
  const endDay = (price: bigint) =>
    accruePositions(
      engine.parts,
      {
        blockNumber: latest.number,
        blockHash: latest.hash,
        chainTime: addMilliseconds(latest.time, 1_000),
        prices: [{ strategy, price }],
      },
      { snapshot: true, postedBefore: addMilliseconds(latest.time, 1_000) },
    )
  const yields = () => engine.db.selectFrom('ledger_entries').select('id').where('kind', '=', 'yield').execute()
  const before = (await yields()).length
  await endDay((now!.posted_price * 1_001n) / 1_000n)
  await endDay((now!.posted_price * 1_002n) / 1_000n)
  expect(await yields()).toHaveLength(before + 1)
  expect(await engine.db.selectFrom('yield_snapshots').selectAll().execute()).toHaveLength(1)
})

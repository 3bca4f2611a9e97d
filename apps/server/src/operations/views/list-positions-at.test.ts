// Also tested elsewhere: that every entry names the position that it moves, after each step of the ledger's tests
// (testing/ledger/ledger-rules.ts); the route (surfaces/core/treasury/positions.test.ts).
import { expect, test } from 'vitest'
import { expectValidLedger } from '../../../testing/ledger/expect-ledger.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { USDC } from '../../../testing/units.ts'
import { addMilliseconds } from '../../kernel/index.ts'
import { listBalancesAt } from '../../ledger/index.ts'
import { resetChain } from '../settlement/reorgs/reset-chain.ts'
import { listPositionsAt } from './list-positions-at.ts'

const LENDING = 'erc4626:polygon:USDC:lending-markets'
const use = useEngine()

test('at every moment the positions are those that were posted then, and add up to the deployed balances', async () => {
  const { client, engine, dev } = use
  const { organizationId, walletId } = client.wallet
  const read = (at: Date, page = { limit: 100, offset: 0 }) => listPositionsAt(engine, organizationId, { at, ...page })
  const posted = async () => {
    const rows = await engine.db
      .selectFrom('allocations')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .orderBy('strategy_id')
      .execute()
    return [...Map.groupBy(rows, (row) => row.strategy_id)].flatMap(([strategyId, of]) => {
      const value = of.reduce((sum, row) => sum + row.posted_value, 0n)
      const yieldEarned = of.reduce((sum, row) => sum + row.realized_yield + row.posted_value - row.principal, 0n)
      return value > 0n ? [{ walletId, strategyId, value, yieldEarned }] : []
    })
  }
  const steps: (() => Promise<unknown>)[] = [
    async () => client.complete(await client.supply(300n * USDC)),
    async () => client.complete(await client.supply(200n * USDC, LENDING)),
    async () => {
      await dev.rpc('evm_increaseTime', 40 * 86_400)
      await engine.settle()
    },
    async () => client.complete(await client.unwind(50n * USDC, LENDING)),
    async () => client.complete(await client.unwind('full')),
    async () => client.complete(await client.supply(100n * USDC)),
    () => resetChain(engine.parts, 'polygon', '0xnew'),
  ]
  const seen: { at: Date; positions: Awaited<ReturnType<typeof posted>> }[] = []
  for (const step of steps) {
    await step()
    engine.clock.advance(1_000)
    seen.push({ at: engine.clock.now(), positions: await posted() })
    engine.clock.advance(1_000)
  }
  const posting = await engine.db.startTransaction().execute()
  await posting.selectFrom('wallets').select('id').where('id', '=', walletId).forUpdate().execute()
  await expect(read(engine.clock.now())).rejects.toMatchObject({ code: 'NOT_READY' })
  await posting.rollback().execute()
  engine.clock.advance(3_600_000)
  expect(seen.map(({ positions }) => positions.length)).toEqual([1, 2, 2, 2, 1, 2, 0])
  for (const { at, positions } of seen) {
    const { items, tokens, total } = await read(at)
    expect(items).toMatchObject(positions)
    expect(total).toBe(positions.length)
    const balances = await listBalancesAt(engine, organizationId, { at, limit: 100, offset: 0 })
    const deployed = balances.tokens.reduce((sum, each) => sum + each.deployed, 0n)
    expect(items.reduce((sum, { value }) => sum + value, 0n)).toBe(deployed)
    expect(tokens.reduce((sum, { value }) => sum + value, 0n)).toBe(deployed)
  }
  const both = seen[2]!
  const second = await read(both.at, { limit: 1, offset: 1 })
  expect(second).toMatchObject({ items: [both.positions[1]], total: 2, tokens: [{ positions: 2, token: 'USDC' }] })
  expect((await read(both.at, { limit: 1, offset: 9 })).total).toBe(2)
  expect(await listPositionsAt(engine, organizationId + 1, { at: both.at, limit: 9, offset: 0 })).toMatchObject({
    total: 0,
  })
  expect((await read(addMilliseconds(seen[0]!.at, -86_400_000))).total).toBe(0)
  await expectValidLedger(engine)
})

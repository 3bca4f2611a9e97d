import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '../../../testing/chains/test-chain.ts'
import { lostLease } from '../../../testing/database/lost-lease.ts'
import { anyState } from '../../../testing/operations/any-state.ts'
import { type EngineFixture, startEngineFixture } from '../../../testing/operations/engine-fixture.ts'
import { insertPosition } from '../../../testing/operations/insert-position.ts'
import { USDC } from '../../../testing/units.ts'
import { WITHDRAWAL_PROBES } from '../../kernel/index.ts'
import { strategiesOnChain, venueFor } from '../../venues/index.ts'
import { listAllocations } from '../views/list-allocations.ts'
import { listPositions } from '../views/list-positions.ts'
import { refreshWithdrawable } from './refresh-withdrawable.ts'

let dev: TestChain
let engine: EngineFixture
beforeAll(async () => {
  dev = await startTestChain()
  engine = await startEngineFixture(dev)
})
afterAll(async () => {
  await engine.close()
  await dev.stop()
})

test('what a position could withdraw is read in one request, shown with its time, and never above its value', async () => {
  const client = await engine.client({ usdc: 1_000n * USDC })
  await engine.settle()
  for (const key of ['aave-v3:polygon:USDC', 'erc4626:polygon:USDC'] as const) {
    await client.complete(await client.supply(100n * USDC, key))
  }
  const chain = engine.parts.chains.get('polygon')!
  const lent = (await strategiesOnChain(engine.db, 'polygon')).find(({ key }) => key === 'aave-v3:polygon:USDC')!
  // The reserve is lent out, up to 30 tokens.
  const balance = `0x${(30n * USDC).toString(16)}`
  await dev.rpc('anvil_dealERC20', lent.params.aToken, lent.tokenAddress, balance)
  const before = engine.requests()
  expect(await refreshWithdrawable(engine.parts, chain, 0)).toBe(0)
  expect(engine.requests() - before).toBe(1)
  // A process that lost its lease sees more in the pool, and saves nothing.
  await dev.rpc('anvil_dealERC20', lent.params.aToken, lent.tokenAddress, `0x${(90n * USDC).toString(16)}`)
  await refreshWithdrawable({ ...engine.parts, db: lostLease(engine.db) }, chain, 0)
  await dev.rpc('anvil_dealERC20', lent.params.aToken, lent.tokenAddress, balance)

  const { organizationId } = client.scope
  const { allocations } = await listAllocations(
    engine.db,
    organizationId,
    { statuses: ['ACTIVE'] },
    { limit: 10, offset: 0 },
  )
  const { latest } = await chain.heads()
  const shown = new Map(
    allocations
      .map(anyState)
      .map(({ strategyId, withdrawable, currentValue }) => [strategyId, { withdrawable, currentValue }]),
  )
  expect(shown.get(lent.id)!.withdrawable).toEqual({ amount: 30n * USDC, at: latest.time })
  const [other] = [...shown].filter(([id]) => id !== lent.id).map(([, view]) => view)
  expect(other!.withdrawable!.amount).toBe(other!.currentValue)
  const { positions } = await listPositions(engine.db, client.scope, { wallets: { address: [client.address] } })
  expect(positions.map(({ withdrawable }) => withdrawable?.amount)).toContain(30n * USDC)
})

const SILENT = 'erc4626:polygon:USDC:v2'

/** One more entry of the catalogue for a vault whose limits are 0 by design. */
async function copyOfSilent(key: string): Promise<number> {
  const { id: _, ...row } = await engine.db
    .selectFrom('strategies')
    .selectAll()
    .where('key', '=', SILENT)
    .executeTakeFirstOrThrow()
  const copy = { ...row, key, params: JSON.stringify(row.params) }
  const { id } = await engine.db.insertInto('strategies').values(copy).returning('id').executeTakeFirstOrThrow()
  return id
}

test('the vaults read longest ago are probed when many report nothing; the others keep what was found, and when', async () => {
  const client = await engine.client({ usdc: 100n * USDC })
  await engine.settle()
  await client.complete(await client.supply(100n * USDC, SILENT))
  const [price] = await venueFor('erc4626').prices(engine.chain, [engine.strategy(SILENT)])
  const count = WITHDRAWAL_PROBES.strategies
  for (let index = 0; index < count; index += 1) {
    const strategy = { ...engine.strategy(SILENT), id: await copyOfSilent(`copy ${index}`) }
    await insertPosition({ ...engine, strategy }, client.wallet, {
      value: 100n * USDC,
      withdrawable: null,
      price: price!,
    })
  }
  const read = () =>
    engine.db
      .selectFrom('allocations')
      .select(['withdrawable', 'withdrawable_at'])
      .where('wallet_id', '=', client.wallet.walletId)
      .orderBy('strategy_id')
      .execute()
  await refreshWithdrawable(engine.parts, engine.chain, 0)
  const first = await read()
  expect(first.map(({ withdrawable }) => withdrawable !== null)).toEqual([...Array(count).fill(true), false])
  await dev.increaseTime(60)
  await refreshWithdrawable(engine.parts, engine.chain, 0)
  const second = await read()
  expect(second.every(({ withdrawable }) => withdrawable! > 99n * USDC)).toBe(true)
  const kept = second.filter(({ withdrawable_at: at }) => at!.getTime() === first[0]!.withdrawable_at!.getTime())
  expect(kept).toEqual([first[count - 1]])
})

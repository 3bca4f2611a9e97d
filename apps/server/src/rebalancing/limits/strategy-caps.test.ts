// Also tested elsewhere: what a cap does to plans (enforce-cap.test.ts, rebalancing/planner/planner.test.ts), and caps over HTTP with their
// audit entries (surfaces/core/treasury/strategy-caps.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { failingTransact } from '../../../testing/index.ts'
import { useStore } from '../../../testing/operations/use-store.ts'
import { listCaps, type StrategyCap, setCap } from './strategy-caps.ts'

const store = useStore()
let organizationId: number

beforeEach(async () => {
  organizationId = await store.organization()
})

const set = (shareBps: number | null, of = organizationId, transact?: Parameters<typeof setCap>[2]) =>
  setCap(store.parts, { organizationId: of, strategyId: store.strategy.id, shareBps }, transact)
const caps = async (of = organizationId) => (await listCaps(store.parts, of)).map(({ shareBps }) => shareBps)
/** An operational wallet of the strategy's token that is not due. */
async function waitingWallet(): Promise<() => Promise<Date | null>> {
  const { opWalletId } = await store.operationalWallet(await store.wallet({ organizationId }))
  const row = store.db.updateTable('operational_wallets').set({ due_at: null }).where('id', '=', opWalletId)
  await row.execute()
  return async () =>
    (
      await store.db
        .selectFrom('operational_wallets')
        .select('due_at')
        .where('id', '=', opWalletId)
        .executeTakeFirstOrThrow()
    ).due_at
}

test('a cap is set, replaced and removed, for one organization only', async () => {
  const other = await store.organization()
  await set(9_000, other)
  expect(await set(2_000)).toMatchObject({ strategyId: store.strategy.id, shareBps: 2_000 })
  store.clock.advance(1)
  await set(0)
  expect(await listCaps(store.parts, organizationId)).toEqual([
    {
      strategyId: store.strategy.id,
      strategyName: store.strategy.name,
      shareBps: 0,
      updatedAt: store.clock.now(),
    },
  ])
  expect((await set(null)).shareBps).toBeNull()
  await set(null)
  expect(await caps()).toEqual([])
  expect(await caps(other)).toEqual([9_000])
})

test('simultaneous changes leave one cap', async () => {
  await Promise.all([1_000, 2_000, 3_000, 4_000].map((share) => set(share)))
  expect(await caps()).toHaveLength(1)
})

test('every change makes the wallets of that token due, in its transaction', async () => {
  const dueAt = await waitingWallet()
  const failing = failingTransact<StrategyCap>(store.db, 'the response could not be stored')
  await expect(set(2_000, organizationId, failing)).rejects.toThrow('could not be stored')
  expect(await dueAt()).toBeNull()
  expect(await caps()).toEqual([])
  await set(null)
  expect(await dueAt()).toEqual(store.clock.now())
})

test('a strategy that does not exist is STRATEGY_NOT_FOUND, and no wallet becomes due', async () => {
  const dueAt = await waitingWallet()
  const unknown = setCap(store.parts, { organizationId, strategyId: 999_999, shareBps: 1 })
  await expect(unknown).rejects.toMatchObject({ code: 'STRATEGY_NOT_FOUND' })
  expect(await dueAt()).toBeNull()
})

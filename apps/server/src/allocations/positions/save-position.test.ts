// Also tested elsewhere: the states (write-allocation.test.ts), and that positions equal ledger and chain
// (operations/settlement/landings/settle-landed.test.ts, operations/settlement/reconciliation/reconcile-shares.test.ts, exits/record-exit.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { useStore } from '../../../testing/operations/use-store.ts'
import { emittedEvents } from '../../../testing/ramp/emitted-events.ts'
import { USDC } from '../../../testing/units.ts'
import type { Wallet } from '../../wallets/index.ts'
import { EMPTY_POSITION, type Position } from './position.ts'
import { findOpenAllocations, type PositionUpdate, SAVE_POSITION } from './save-position.ts'

const store = useStore()
const PRICE = 10n ** 18n
const BLOCK_TIME = new Date('2026-01-01T00:00:00Z')
const later = (seconds: number) => new Date(BLOCK_TIME.getTime() + seconds * 1_000)

let wallet: Wallet
beforeEach(async () => {
  wallet = await store.wallet()
})

const holding = (amount: bigint): Position => ({
  shares: amount,
  principal: amount,
  value: amount,
  price: PRICE,
  realizedYield: 0n,
})
const keyOf = (of = wallet) => ({ wallet: of, strategyId: store.strategy.id })
const open = async (of = wallet) => (await store.tx((tx) => findOpenAllocations(tx, [keyOf(of)])))[0]
type Saved = Pick<PositionUpdate, 'position'> & Partial<PositionUpdate>
/** Saves new positions in one batch; each is the first wallet's and replaces its open one, unless it says otherwise. */
async function save(...updates: readonly Saved[]) {
  const before = await open()
  const time = { chainTime: BLOCK_TIME, at: store.clock.now() }
  return store.tx((tx) =>
    SAVE_POSITION.run(
      tx,
      updates.map((update) => ({ ...keyOf(), before, time, ...update })),
    ),
  )
}
const rows = () =>
  store.db.selectFrom('allocations').selectAll().where('wallet_id', '=', wallet.walletId).orderBy('id').execute()

test('a first position opens an allocation at the time of its block, and later ones keep it', async () => {
  const [opened] = await save({ position: holding(400n * USDC) })
  const [kept] = await save({ position: holding(500n * USDC), time: { chainTime: later(60), at: later(61) } })
  const { allocationId } = opened!
  expect(opened).toEqual({ allocationId, change: 'opened' })
  expect(kept).toEqual({ allocationId, change: 'kept' })
  expect(await rows()).toMatchObject([
    { id: allocationId, opened_at: BLOCK_TIME, shares: 500n * USDC, posted_value: 500n * USDC, posted_at: later(60) },
  ])
  expect(await emittedEvents(store.db, wallet.organizationId, 'allocation')).toMatchObject([
    { event: 'allocation.created', data: { allocationId, principal: '400000000', realizedYield: '0' } },
  ])
})

test('a position without shares is closed for good, keeps no principal, and a new deposit opens another', async () => {
  const [first] = await save({ position: holding(400n * USDC) })
  const emptied = { ...holding(0n), principal: 3n, realizedYield: 9n }
  const [closed] = await save({ position: emptied, time: { chainTime: later(60), at: later(61) } })
  expect(closed).toEqual({ allocationId: first!.allocationId, change: 'closed' })
  expect(await open()).toBeUndefined()
  const [second] = await save({ position: holding(5n) })
  expect(second).toMatchObject({ change: 'opened' })
  expect(await rows()).toMatchObject([
    { id: first!.allocationId, status: 'CLOSED', principal: 0n, realized_yield: 9n, closed_at: later(60) },
    { id: second!.allocationId, status: 'ACTIVE', shares: 5n, closed_at: null },
  ])
  const events = await emittedEvents(store.db, wallet.organizationId, 'allocation')
  expect(events.map(({ event }) => event)).toEqual(['allocation.created', 'allocation.closed', 'allocation.created'])
})

test('a position whose last shares were requested back stays open until they are claimed', async () => {
  const [opened] = await save({ position: holding(400n * USDC) })
  const [exiting] = await save({ position: EMPTY_POSITION, isExiting: true })
  expect(exiting).toEqual({ allocationId: opened!.allocationId, change: 'kept' })
  expect(await open()).toMatchObject({ allocationId: opened!.allocationId })
  const [claimed] = await save({ position: EMPTY_POSITION })
  expect(claimed).toMatchObject({ change: 'closed' })
})

test('a position that is gone when it is first seen is opened and closed at once', async () => {
  const [opened] = await save({ position: { ...EMPTY_POSITION, realizedYield: 7n } })
  expect(opened).toMatchObject({ change: 'opened' })
  expect(await rows()).toMatchObject([{ id: opened!.allocationId, status: 'CLOSED', realized_yield: 7n }])
})

test('a block that is settled late takes the time of the last posting, and a later price its own', async () => {
  const postedAt = async () => (await open())!.postedAt
  const time = (chainTime: Date, pricedAt?: Date) => ({ time: { chainTime, pricedAt, at: later(200) } })
  await save({ position: holding(4n), ...time(later(60)) })
  await save({ position: holding(5n), ...time(later(30)) })
  expect(await postedAt()).toEqual(later(60))
  await save({ position: holding(6n), ...time(later(70), later(90)) })
  expect(await postedAt()).toEqual(later(90))
})

test('each of several positions has its own result, in their order', async () => {
  const other = await store.wallet()
  const third = await store.wallet({ organizationId: wallet.organizationId })
  await save({ position: holding(400n * USDC) })
  const before = await open()
  const saved = await save(
    { ...keyOf(other), before: undefined, position: holding(1n) },
    { before, position: holding(0n) },
    { ...keyOf(third), before: undefined, position: holding(3n) },
  )
  const [ofOther, ofThird] = [await open(other), await open(third)]
  expect(saved).toEqual([
    { allocationId: ofOther!.allocationId, change: 'opened' },
    { allocationId: before!.allocationId, change: 'closed' },
    { allocationId: ofThird!.allocationId, change: 'opened' },
  ])
  expect([ofOther, ofThird].map((one) => one!.position.shares)).toEqual([1n, 3n])
})

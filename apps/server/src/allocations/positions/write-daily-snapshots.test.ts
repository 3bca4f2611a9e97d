// Also tested in: allocations/positions/accrue-positions.test.ts (when a day of the chain ends),
// allocations/earnings/read-yield-snapshots.test.ts (how earnings read them).
import { expect, test } from 'vitest'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { USDC } from '../../../testing/units.ts'
import { inTransaction } from '../../database/index.ts'
import type { OpenAllocation } from './allocation.ts'
import { findOpenAllocations } from './save-position.ts'
import { writeDailySnapshots } from './write-daily-snapshots.ts'

const use = useEngine()

async function allocation(): Promise<OpenAllocation> {
  const { engine, client } = use
  const { strategyId } = await client.complete(await client.supply(400n * USDC))
  const key = { wallet: client.wallet, strategyId }
  return (await inTransaction(engine.db, (tx) => findOpenAllocations(tx, [key])))[0]!
}
const write = (open: OpenAllocation, value: bigint, at: string) =>
  inTransaction(use.engine.db, (tx) =>
    writeDailySnapshots(tx, [{ ...open, position: { ...open.position, value } }], new Date(at)),
  )
const snapshots = ({ allocationId }: OpenAllocation) =>
  use.engine.db
    .selectFrom('yield_snapshots')
    .select(['day', 'value', 'yield', 'cumulative_yield'])
    .where('allocation_id', '=', allocationId)
    .orderBy('day')
    .execute()

test('a day has the yield since the day before, and the sum of all days', async () => {
  const open = await allocation()
  const { principal } = open.position
  await write(open, principal + 5n, '2030-01-01T23:59:59Z')
  await write(open, principal + 12n, '2030-01-02T23:59:59Z')
  // A day without a snapshot: its yield counts for the next one.
  await write(open, principal + 9n, '2030-01-04T12:00:00Z')
  expect(await snapshots(open)).toEqual([
    { day: '2030-01-01', value: principal + 5n, yield: 5n, cumulative_yield: 5n },
    { day: '2030-01-02', value: principal + 12n, yield: 7n, cumulative_yield: 12n },
    { day: '2030-01-04', value: principal + 9n, yield: -3n, cumulative_yield: 9n },
  ])
})

test('yield that left with withdrawn shares stays in the sum', async () => {
  const open = await allocation()
  const earned = { ...open, position: { ...open.position, realizedYield: 100n } }
  await write(earned, open.position.principal + 5n, '2030-01-01T23:59:59Z')
  expect(await snapshots(open)).toMatchObject([{ yield: 105n, cumulative_yield: 105n }])
})

test('writing the same day again replaces its snapshot', async () => {
  const open = await allocation()
  const { principal } = open.position
  await write(open, principal + 5n, '2030-01-01T12:00:00Z')
  await write(open, principal + 6n, '2030-01-01T23:00:00Z')
  expect(await snapshots(open)).toMatchObject([{ day: '2030-01-01', value: principal + 6n, yield: 6n }])
})

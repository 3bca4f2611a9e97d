import { beforeEach, expect, test } from 'vitest'
import { insertPosition } from '../../../testing/operations/insert-position.ts'
import { useStore } from '../../../testing/operations/use-store.ts'
import { NO_LIMITS } from './deposit-limits.ts'
import { readHeldSums } from './held-sums.ts'
import { readHeadrooms } from './read-headroom.ts'

const store = useStore()
let organizationId: number
beforeEach(async () => {
  organizationId = await store.organization()
})

/** Why ten wallets of 100 each may not deposit in a pool that holds this much, if less than 20% could be withdrawn. */
async function stopped(liquidity: bigint): Promise<string | undefined> {
  const params = JSON.stringify({ ...store.strategy.params, cash: 'reported' })
  await store.db.updateTable('strategies').set({ liquidity, params }).execute()
  const limits = { ...NO_LIMITS, withdrawableShareBps: 2_000 }
  const sums = await readHeldSums(store.db, organizationId, store.clock.now())
  return (await readHeadrooms(store.db, limits, sums)).get(store.strategy.id)?.because
}

test('the liquidity of a pool counts once for all wallets in it', async () => {
  for (let count = 0; count < 10; count += 1) {
    const wallet = await store.wallet({ organizationId, usdc: 0n })
    await insertPosition(store, wallet, { value: 100n, withdrawable: 100n })
  }
  expect(await stopped(200n)).toBeUndefined()
  expect(await stopped(199n)).toBe('less than 20% of the position could be withdrawn')
})

test('a position that was not read stops nothing', async () => {
  const wallet = await store.wallet({ organizationId, usdc: 0n })
  await insertPosition(store, wallet, { value: 100n, withdrawable: null })
  expect(await stopped(0n)).toBeUndefined()
})

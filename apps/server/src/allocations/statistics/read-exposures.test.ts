// Also tested elsewhere: what several positions can pay together (venues/payable-together.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { insertPosition } from '../../../testing/operations/insert-position.ts'
import { useStore } from '../../../testing/operations/use-store.ts'
import { USDC } from '../../../testing/units.ts'
import { readExposures } from './read-exposures.ts'
import { walletStatistics } from './wallet-statistics.ts'

const store = useStore()
let organizationId: number

/** What the pool holds, which reports its liquidity. */
const holds = (liquidity: bigint) =>
  store.db
    .updateTable('strategies')
    .set({ liquidity, params: JSON.stringify({ ...store.strategy.params, cash: 'reported' }) })
    .execute()
const exposure = async () => (await store.tx((tx) => readExposures(tx, organizationId)))[0]!
const statistics = () => walletStatistics(store.parts, organizationId)

/** Ten wallets with 100 each; every one could withdraw all of it alone. */
beforeEach(async () => {
  organizationId = await store.organization()
  for (let count = 0; count < 10; count += 1) {
    const wallet = await store.wallet({ organizationId, usdc: 0n })
    await insertPosition(store, wallet, { value: 100n * USDC, withdrawable: 100n * USDC })
  }
})

test('the liquidity of a pool counts once, however many wallets are in it', async () => {
  await holds(100n * USDC)
  const together = { value: 1_000n * USDC, withdrawable: 100n * USDC, shared: 900n * USDC, unread: 0n }
  expect(await exposure()).toMatchObject(together)
  const { allocated: deployed, withdrawable } = (await statistics()).all
  expect(withdrawable * 10n).toBe(deployed)
  await holds(5_000n * USDC)
  expect(await exposure()).toMatchObject({ withdrawable: 1_000n * USDC, shared: 0n })
  expect((await statistics()).all.withdrawable).toBe(deployed)
})

test('what is not read is neither withdrawable nor shared', async () => {
  await holds(5_000n * USDC)
  await store.db
    .updateTable('allocations')
    .set({ withdrawable: null })
    .where('organization_id', '=', organizationId)
    .execute()
  expect(await exposure()).toMatchObject({ withdrawable: 0n, shared: 0n, unread: 1_000n * USDC })
  expect((await statistics()).all.withdrawable).toBe(0n)
})

import { beforeEach, expect, test } from 'vitest'
import { useRebalancer } from '../../../testing/rebalancing/use-rebalancer.ts'
import { USDC } from '../../../testing/units.ts'
import { listOperationalWallets } from './list-operational-wallets.ts'

const AAVE = 'aave-v3:polygon:USDC'
const rebalancer = useRebalancer()
beforeEach(async () => {
  await rebalancer.engine.db.updateTable('strategies').set({ status: 'active' }).where('key', '=', AAVE).execute()
})

async function below(organizationId: number): Promise<number> {
  const page = { limit: 10, offset: 0 }
  const { wallets } = await listOperationalWallets(rebalancer.engine.parts, organizationId, { belowBuffer: true }, page)
  return wallets.length
}

test('with yield switched off, a wallet is below its buffer while something is deployed, and not without', async () => {
  const use = await rebalancer.deployed({ [AAVE]: 600n * USDC })
  const { organizationId } = use.wallet
  expect(await below(organizationId)).toBe(0)
  await rebalancer.change(use, { buffer: 700n * USDC, enableYield: false })
  expect(await below(organizationId)).toBe(1)
  await use.client.complete(await use.client.unwind('full'))
  await rebalancer.dev.included(await use.client.spend(900n * USDC))
  await rebalancer.engine.settle()
  expect(await below(organizationId)).toBe(0)
})

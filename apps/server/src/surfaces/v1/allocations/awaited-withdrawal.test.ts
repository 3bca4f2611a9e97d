// How the rest is fetched: rebalancing/withdraw-partly.test.ts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LENDING, useAwaited } from '../../../../testing/rebalancing/use-awaited.ts'
import { type V1Server, v1Server } from '../../../../testing/surfaces/v1-server.ts'
import { USDC } from '../../../../testing/units.ts'
import { cancelAwaited } from '../../../rebalancing/index.ts'

const { rebalancer, use, target, comeFree, request, carryOut } = useAwaited()
let server: V1Server
beforeAll(async () => {
  server = await v1Server(rebalancer.engine.parts)
})
afterAll(() => server?.close())

const strategyId = () => rebalancer.engine.strategy(LENDING).id
const get = async (path: string) => (await server.get(use().client, path)).body

/** The position as each route of v1 returns it. */
async function everywhere() {
  const wallet = `walletId=${use().client.wallet.walletId}`
  const { allocations } = await get(`/v1/allocations?${wallet}`)
  const byStrategy = await get(`/v1/allocations/strategy/${strategyId()}?${wallet}`)
  const byVenue = await get(`/v1/allocations/${byStrategy.venueId}?${wallet}`)
  return [allocations[0], byStrategy, byVenue]
}

test('what was paid in part, and what is awaited, is shown on v1 until it is fetched or cancelled', async () => {
  for (const position of await everywhere()) expect(position).not.toHaveProperty('awaitedWithdrawal')
  await comeFree(40n)
  const { operation } = await request(50n * USDC)
  const awaited = { amount: '50000000', fetched: '0', rest: '50000000', requestedAt: expect.any(String) }
  for (const position of await everywhere()) expect(position).toMatchObject({ awaitedWithdrawal: awaited })
  await carryOut(operation!.operationId)
  const rest = { ...awaited, fetched: '40000000', rest: '10000000' }
  for (const position of await everywhere()) expect(position).toMatchObject({ awaitedWithdrawal: rest })
  await cancelAwaited(rebalancer.parts, await target())
  for (const position of await everywhere()) expect(position).not.toHaveProperty('awaitedWithdrawal')
})

test('a withdrawal of a whole position awaits all that is left of it', async () => {
  await request(null)
  const [position] = await everywhere()
  expect(position.awaitedWithdrawal).toMatchObject({ amount: null, fetched: '0', rest: position.currentValue })
})

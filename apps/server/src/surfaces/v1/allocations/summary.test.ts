// Also tested elsewhere: the yield by day (earnings.test.ts) and the totals on core (surfaces/core/treasury).
import { expect, test } from 'vitest'
import { useV1 } from '../../../../testing/surfaces/use-v1.ts'
import { USDC } from '../../../../testing/units.ts'

const AAVE = 'aave-v3:polygon:USDC'
const VAULT = 'erc4626:polygon:USDC'
const MONTH = 2_592_000

const v1 = useV1()

test('sums every wallet that the key may see, and keeps the yield of closed positions', async () => {
  const client = await v1.engine.client()
  const summary = async (of = client, query = '') => {
    const { status, body } = await v1.server.get(of, `/v1/allocations/summary${query}`)
    expect(status).toBe(200)
    return body.totals
  }
  expect(await summary()).toEqual([])
  await v1.engine.settle()
  await client.complete(await client.supply(100n * USDC, AAVE))
  await client.complete(await client.supply(300n * USDC, VAULT))
  await v1.dev.increaseTime(MONTH)
  await v1.engine.followOnce()
  const { body: listed } = await v1.server.get(client, `/v1/allocations?walletId=${client.wallet.walletId}`)
  const { tokenAddress } = v1.engine.strategy(AAVE)
  const [open, ...others] = await summary()
  expect(others).toEqual([])
  expect(open).toEqual({
    blockchain: 'polygon',
    token: 'USDC',
    tokenAddress,
    openPositions: 2,
    principal: String(400n * USDC),
    currentValue: listed.totalValue,
    yieldEarned: listed.totalYieldEarned,
    lifetimeYield: listed.totalYieldEarned,
  })
  expect(BigInt(open.yieldEarned)).toBeGreaterThan(0n)
  expect(await summary(client, '?blockchain=POLYGON')).toEqual([open])
  expect(await summary(client, '?blockchain=base')).toEqual([])

  await client.complete(await client.unwind('full', VAULT))
  const [left] = await summary()
  expect(left).toMatchObject({ openPositions: 1, principal: String(100n * USDC) })
  // The closed position earned until it was withdrawn, and the other one goes on.
  expect(BigInt(left.lifetimeYield)).toBeGreaterThanOrEqual(BigInt(open.lifetimeYield))
  expect(BigInt(left.yieldEarned)).toBeLessThan(BigInt(left.lifetimeYield))

  const stranger = await v1.engine.client()
  expect(await summary(stranger)).toEqual([])
  const otherProfile = { ...client, scope: { ...client.scope, walletProfileId: client.wallet.walletProfileId + 1_000 } }
  expect(await summary(otherProfile)).toEqual([])
  const organization = { ...client, scope: { ...client.scope, walletProfileId: null } }
  expect(await summary(organization)).toEqual([left])
})

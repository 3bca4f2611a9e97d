import { expect, test } from 'vitest'
import { refusal, useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { USDC } from '../../../../testing/units.ts'
import { positionRoutes } from './positions.ts'

const treasury = useTreasury(positionRoutes)

test('the positions as of a moment have their names and amounts, and those of the future are refused', async () => {
  const { engine, staff } = treasury
  const read = (at: Date) => treasury.read(`/api/core/balances/positions?at=${at.toISOString()}`)
  const client = await engine.client({ organizationId: staff.organizationId, usdc: 1_000n * USDC })
  await engine.settle()
  const before = engine.clock.now()
  engine.clock.advance(1_000)
  await client.complete(await client.supply(400n * USDC))
  engine.clock.advance(1_000)
  expect(await read(before)).toMatchObject({ positions: [], summary: { totalValue: '0.00', byToken: [] } })
  const { walletId, address } = client.wallet
  const position = { walletId, address, label: null, blockchain: 'polygon', token: 'USDC' }
  const { positions, summary, pagination } = await read(engine.clock.now())
  expect(positions).toMatchObject([position])
  expect(Number(positions[0].value)).toBeCloseTo(400, 2)
  expect(positions[0]).toMatchObject({ strategy: expect.stringMatching(/\w/), venue: expect.stringMatching(/\w/) })
  const { value, yieldEarned } = positions[0]
  expect(summary).toEqual({
    totalValue: value,
    totalYieldEarned: yieldEarned,
    byToken: [{ blockchain: 'polygon', token: 'USDC', positions: 1, value, yieldEarned }],
  })
  expect(pagination).toMatchObject({ total: 1 })
  const future = new Date(engine.clock.now().getTime() + 1).toISOString()
  expect(await treasury.request(`/api/core/balances/positions?at=${future}`)).toMatchObject(
    refusal(400, 'VALIDATION_ERROR'),
  )
})

// Also tested elsewhere: filters and sums, by the route (surfaces/core/preview/preview.test.ts).
import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { anyState } from '../../../testing/operations/any-state.ts'
import { BY_KEY } from '../../../testing/operations/requesters.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { USDC } from '../../../testing/units.ts'
import { planClaim } from '../planning/plan-claim.ts'
import { listMoneyMovements } from './list-money-movements.ts'

const QUEUE = 'erc7540:polygon:USDC'
const vaultAbi = parseAbi(['function withdraw(uint256 assets, address receiver, address controller)'])
const use = useEngine()

test('a claim without Weir is an inflow, one by an operation is its own, and all movements add up to the balance', async () => {
  const { client, dev, engine } = use
  const { organizationId, walletId } = client.wallet
  await client.complete(await client.supply(400n * USDC, QUEUE))
  await client.complete(await client.unwind(300n * USDC, QUEUE))
  await dev.setStrategyState(QUEUE, { pendingExits: 'settle' })
  await engine.settle()
  const own = client.address as Address
  const data = encodeFunctionData({ abi: vaultAbi, functionName: 'withdraw', args: [120n * USDC, own, own] })
  await dev.included(await dev.call(client.account, engine.strategy(QUEUE).params.vault!, data))
  await engine.settle()
  const strategyId = engine.strategy(QUEUE).id
  const claim = await client.complete(
    await planClaim(engine.parts, { scope: client.scope, walletId, strategyId, requestedBy: BY_KEY }),
  )

  const everything = {
    opWallet: undefined,
    tokenAddresses: undefined,
    type: undefined,
    status: undefined,
    from: undefined,
    until: undefined,
  }
  const read = (filter = {}) =>
    listMoneyMovements(engine.parts, organizationId, { ...everything, ...filter }, { limit: 10, offset: 0 })
  const { moves } = await read()
  const rest = anyState(claim).settledAmount!
  expect(moves.map(({ type, amount, operationId }) => ({ type, amount, isOwn: operationId !== null }))).toEqual(
    expect.arrayContaining([
      { type: 'INFLOW', amount: 1_000n * USDC, isOwn: false },
      { type: 'SUPPLY', amount: 400n * USDC, isOwn: true },
      { type: 'INFLOW', amount: 120n * USDC, isOwn: false },
      { type: 'UNWIND', amount: rest, isOwn: true },
    ]),
  )
  expect(moves).toHaveLength(4)
  const moved = moves.reduce((sum, { direction, amount }) => sum + (direction === 'IN' ? amount : -amount), 0n)
  expect(moved).toBe(await client.usdc())
  expect(new Set(moves.map(({ movementId }) => movementId)).size).toBe(4)
  expect((await read({ type: 'INFLOW' })).total).toBe(2)
})

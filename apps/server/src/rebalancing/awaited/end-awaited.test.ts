// Also tested elsewhere: what was fetched ends it (../withdraw-partly.test.ts).
import { expect, test } from 'vitest'
import { createTestAgent } from '../../../testing/agents/test-agent.ts'
import { MANUAL_POLICY, setPolicy } from '../../../testing/rebalancing/operational-wallets.ts'
import { useAwaited } from '../../../testing/rebalancing/use-awaited.ts'
import { USDC } from '../../../testing/units.ts'
import { rejectOperation } from '../../operations/index.ts'
import { restOf } from './awaited-withdrawal.ts'
import { endAwaited, endOf } from './end-awaited.ts'

const { rebalancer, use, comeFree, request, awaited, states, evaluateLater } = useAwaited()

test('an approver who rejects one of its operations rejects the withdrawal', async () => {
  await setPolicy(rebalancer.engine, use().wallet.organizationId, MANUAL_POLICY)
  await comeFree(40n)
  const { operation } = await request(50n * USDC)
  expect(operation!.state).toBe('PENDING_APPROVAL')
  const { scope } = use().client
  await rejectOperation(rebalancer.engine.parts, { scope, operationId: operation!.operationId, userId: 1 })
  expect(await evaluateLater()).toEqual([])
  expect(await states()).toEqual(['rejected'])
})

test('an operation that fails ends nothing: half of it is tried, later each time', async () => {
  await comeFree(40n)
  await request(50n * USDC)
  const agent = createTestAgent(rebalancer.engine, use().client)
  const fails = async () => agent.failed(await agent.pollRequired())
  await fails()
  expect(await awaited()).toMatchObject({ failures: 1, fetched: 0n })
  expect(await evaluateLater(10_000)).toEqual([])
  expect(await evaluateLater(30_000)).toMatchObject([{ amount: 20n * USDC }])
  await fails()
  expect(await awaited()).toMatchObject({ failures: 2 })
  expect(await evaluateLater(40_000)).toEqual([])
  expect(await evaluateLater(60_000)).toMatchObject([{ amount: 10n * USDC }])
  expect(await states()).toEqual(['open'])
})

test('a rest that is worth no transaction ends it, but not the rest of a position', async () => {
  await request(50n * USDC)
  const open = (await awaited())!
  const { organizationId } = use().wallet
  const end = (fetched: bigint, value: bigint, amount = open.amount) =>
    endAwaited(rebalancer.parts, {
      organizationId,
      awaited: [{ ...open, amount, fetched }],
      holdings: [{ ...open, value }],
      dust: 10_000n,
    })
  expect(await end(0n, 100n * USDC)).toHaveLength(1)
  // All that is left of the position is fetched with it.
  expect(await end(50n * USDC - 9_999n, 9_999n)).toHaveLength(1)
  // A request for less is paid.
  expect(await end(0n, 100n * USDC, 5_000n)).toHaveLength(1)
  expect(await states()).toEqual(['open'])
  expect(await end(50n * USDC - 9_999n, 100n * USDC)).toEqual([])
  expect(await states()).toEqual(['fetched'])
})

test('an empty position ends it once the ledger says so; one that still holds the rest does not', async () => {
  await request(50n * USDC)
  const open = (await awaited())!
  const end = (...holdings: Parameters<typeof endOf>[1]['holdings']) => endOf(open, { holdings, dust: 10_000n })
  expect(end({ ...open, value: 100n * USDC })).toBeUndefined()
  expect(end({ ...open, value: 0n, isUnsettled: true })).toBeUndefined()
  expect(end({ ...open, value: 0n })).toBe('fetched')
  expect(end({ ...open, strategyId: open.strategyId + 1, value: 100n * USDC })).toBe('fetched')
})

test('what is left of a position is never more than its value, and never negative', () => {
  expect(restOf({ amount: 50n, fetched: 20n }, 100n)).toBe(30n)
  expect(restOf({ amount: 50n, fetched: 20n }, 10n)).toBe(10n)
  expect(restOf({ amount: 50n, fetched: 60n }, 100n)).toBe(0n)
  expect(restOf({ amount: null, fetched: 60n }, 100n)).toBe(100n)
})

// Also tested elsewhere: over HTTP, with who may cancel (surfaces/core/treasury/withdrawals.test.ts).
import { expect, test } from 'vitest'
import { useAwaited } from '../../testing/rebalancing/use-awaited.ts'
import { USDC } from '../../testing/units.ts'
import { cancelAwaited } from './cancel-awaited.ts'

const { rebalancer, use, target, comeFree, request, states, carryOut, evaluateLater } = useAwaited()

test('a position awaits one withdrawal at a time, until it is cancelled', async () => {
  await request(25n * USDC)
  await expect(request(10n * USDC)).rejects.toMatchObject({ code: 'CONFLICT' })
  await cancelAwaited(rebalancer.parts, await target())
  expect(await states()).toEqual(['cancelled'])
  await expect(cancelAwaited(rebalancer.parts, await target())).rejects.toMatchObject({ code: 'CONFLICT' })
  expect((await request(10n * USDC)).awaited!.withdrawal).toMatchObject({ amount: 10n * USDC })
})

test('a fetch is planned before a simultaneous cancellation or not at all', async () => {
  await request(25n * USDC)
  await comeFree(100n)
  rebalancer.engine.clock.advance(300_000)
  await Promise.all([cancelAwaited(rebalancer.parts, await target()), rebalancer.evaluateAll()])
  expect(await states()).toEqual(['cancelled'])
  const planned = (await rebalancer.operationsOf(use())).filter(({ type }) => type === 'UNWIND')
  expect(planned.length).toBeLessThanOrEqual(1)
  for (const { id } of planned) await carryOut(id)
  expect(await evaluateLater()).toEqual([])
})

test('after it nothing more is fetched; what an operation withdraws already goes on', async () => {
  await comeFree(40n)
  const { operation } = await request(null)
  await cancelAwaited(rebalancer.parts, await target())
  await comeFree(60n)
  expect(await evaluateLater(15_000)).toEqual([])
  expect((await carryOut(operation!.operationId)).state).toBe('COMPLETED')
  expect(await evaluateLater()).toEqual([])
  expect(await states()).toEqual(['cancelled'])
})

// Where a withdrawal is awaited, Weir deposits nothing. What withholds bytes is in limits/limit-reason.test.ts; what the
// planner leaves out in planner/planner-properties.test.ts.
import { expect, test } from 'vitest'
import { LENDING, useAwaited } from '../../testing/rebalancing/use-awaited.ts'
import { USDC } from '../../testing/units.ts'
import { evaluateDueWallets } from './evaluate-due-wallets.ts'

const { rebalancer, use, request, states, evaluateLater } = useAwaited()

/** The wallet has 800 USDC above its buffer, and only the vault takes them. */
async function surplus(): Promise<void> {
  const { db } = rebalancer.engine
  await db.updateTable('strategies').set({ status: 'paused' }).where('key', '<>', LENDING).execute()
  await db.updateTable('strategies').set({ apy: 0.05 }).where('key', '=', LENDING).execute()
  await rebalancer.change(use(), { enableYield: true, buffer: 100n * USDC })
}

test('while an operation of the wallet is unfinished, a withdrawal that cannot be paid now is refused, not awaited', async () => {
  await surplus()
  await rebalancer.evaluateAll()
  const [deployment, ...more] = await rebalancer.operationsOf(use())
  expect(more).toEqual([])
  expect(deployment).toMatchObject({ type: 'SUPPLY', state: 'EXECUTING', amount: 800n * USDC })
  rebalancer.engine.clock.advance(1_000)
  await expect(request(90n * USDC)).rejects.toMatchObject({
    code: 'OPERATION_IN_PROGRESS',
    details: { operationId: deployment!.id },
  })
  expect(await states()).toEqual([])
})

test('a deployment that was chosen before the withdrawal was requested is not planned', async () => {
  const { engine, parts } = rebalancer
  await surplus()
  engine.clock.advance(1_000)
  const slow = {
    ...engine.chain,
    simulate: (async (...input: Parameters<typeof engine.chain.simulate>) => {
      const simulated = await engine.chain.simulate(...input)
      if ((await states()).length === 0) await request(90n * USDC)
      return simulated
    }) as typeof engine.chain.simulate,
  }
  await evaluateDueWallets({ ...parts, chains: new Map([['polygon', slow]]) })
  expect(await states()).toEqual(['open'])
  expect(await evaluateLater()).toEqual([])
  expect(await rebalancer.operationsOf(use())).toEqual([])
})

// Also tested elsewhere: late landings (late-landing.test.ts), finality (settlement/discovery/record-inclusions.test.ts), failures
// (apply-finding.test.ts), and equality of ledger and chain in random sequences and simulate/.
import { expect, test } from 'vitest'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { USDC } from '../../../../testing/units.ts'
import { cancelOperation } from '../../index.ts'

const use = useEngine()

const entriesOf = async ({ operationId }: { operationId: number }) =>
  use.engine.db
    .selectFrom('ledger_entries')
    .select(['kind', 'source'])
    .where('operation_id', '=', operationId)
    .where('source', 'like', 'settle:%')
    .execute()

test('an approval moves no money; a supply turns its reservation into the position in one entry', async () => {
  const plan = await use.client.supply(600n * USDC)
  await use.client.submit(plan, await use.client.sign(plan.transactions[0]!))
  await use.engine.settle()
  const approved = await use.client.operation(plan)
  expect(approved).toMatchObject({
    state: 'EXECUTING',
    transactions: [{ status: 'confirmed' }, { status: 'unsigned' }],
  })
  expect(await use.balances()).toEqual({ available: 400n, reserved: 600n, deployed: 0n })
  const done = await use.client.complete(approved)
  expect(done).toMatchObject({ state: 'COMPLETED', settledAmount: 600n * USDC })
  expect(await use.balances()).toEqual({ available: 400n, reserved: 0n, deployed: 600n })
  expect(await entriesOf(plan)).toEqual([{ kind: 'supply', source: `settle:${plan.operationId}` }])
})

test('a settled transaction keeps its block and can no longer land', async () => {
  const { transactions } = await use.client.complete(await use.client.supply(600n * USDC))
  for (const transaction of transactions)
    expect(transaction).toMatchObject({
      status: 'confirmed',
      canStillLand: false,
      blockNumber: expect.any(Number),
      finalizedAt: use.engine.clock.now(),
      failureCode: null,
    })
})

test('settling the same block again changes nothing', async () => {
  const done = await use.client.complete(await use.client.supply(600n * USDC))
  await use.engine.followOnce()
  await use.engine.settle()
  expect(await entriesOf(done)).toHaveLength(1)
  expect(await use.balances()).toEqual({ available: 400n, reserved: 0n, deployed: 600n })
})

test('a cancelled supply that lands is COMPLETED with the moved amount, taken from available', async () => {
  const plan = await use.client.supply(600n * USDC)
  await use.client.submit(plan, await use.client.sign(plan.transactions[0]!))
  await use.engine.settle()
  await cancelOperation(use.engine.parts, use.client.scope, plan.operationId)
  expect(await use.balances()).toEqual({ available: 1_000n, reserved: 0n, deployed: 0n })
  await use.dev.included(await use.client.send(plan.transactions[1]!))
  await use.engine.settle()
  expect(await use.client.operation(plan)).toMatchObject({ state: 'COMPLETED', settledAmount: 600n * USDC })
  expect(await use.balances()).toEqual({ available: 400n, reserved: 0n, deployed: 600n })
})

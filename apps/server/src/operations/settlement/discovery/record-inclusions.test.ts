// Also tested elsewhere: inclusions undone by a reorganization (settlement/reorgs/rollback-reorged-blocks.test.ts).
import { expect, test } from 'vitest'
import { breakRows } from '../../../../testing/database/break-rows.ts'
import { countStatements } from '../../../../testing/index.ts'
import { anyState } from '../../../../testing/operations/any-state.ts'
import { supplyOf } from '../../../../testing/operations/pending-supply.ts'
import { type PlannedTogether, statesOf, supplyTogether } from '../../../../testing/operations/supply-together.ts'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { USDC } from '../../../../testing/units.ts'
import { cancelOperation, type Operation } from '../../index.ts'
import { recordInclusions } from './record-inclusions.ts'

const use = useEngine({ confirmations: 3 })

/** A supply whose approval is final and which is in the head block; nothing else is mined. */
async function includedSupply(): Promise<Operation> {
  const plan = await approvedSupply()
  await use.dev.included(await use.client.submitAll(plan))
  await use.engine.followOnce()
  return use.client.operation(plan)
}

async function approvedSupply(): Promise<Operation> {
  const plan = await use.client.supply(400n * USDC)
  await use.client.submit(plan, await use.client.sign(plan.transactions[0]!))
  await use.engine.settle()
  return use.client.operation(plan)
}

const headBlock = async () => (await use.engine.chain.block((await use.engine.chain.heads()).latest.number))!

test('an included transaction has a block and counts confirmations, but nothing is posted until it is final', async () => {
  const plan = await includedSupply()
  expect(plan.state).toBe('CONFIRMING')
  expect(supplyOf(plan)).toMatchObject({ status: 'pending', confirmations: 1 })
  expect(await use.balances()).toEqual({ available: 600n, reserved: 400n, deployed: 0n })
  await use.dev.mine(1)
  await use.engine.followOnce()
  expect(supplyOf(await use.client.operation(plan))).toMatchObject({ status: 'pending', confirmations: 2 })
  await use.dev.mine(1)
  await use.engine.followOnce()
  expect(await use.client.operation(plan)).toMatchObject({ state: 'COMPLETED' })
  expect(await use.balances()).toEqual({ available: 600n, reserved: 0n, deployed: 400n })
})

test('recording a block again changes nothing, and a transaction that nobody reported is linked and pending', async () => {
  const plan = await approvedSupply()
  const hash = await use.dev.included(await use.client.send(supplyOf(plan)))
  const block = await headBlock()
  await recordInclusions(use.engine.parts, use.engine.chain, block)
  const recorded = await use.client.operation(plan)
  expect(recorded.state).toBe('CONFIRMING')
  expect(supplyOf(recorded)).toMatchObject({ status: 'pending', txHash: hash, blockNumber: block.number })
  await recordInclusions(use.engine.parts, use.engine.chain, block)
  expect(await use.client.operation(plan)).toEqual(recorded)
})

test('a late landing gets its block and nothing else: its operation stays ended until the block is final', async () => {
  const plan = await approvedSupply()
  await cancelOperation(use.engine.parts, use.client.scope, plan.operationId)
  await use.dev.included(await use.client.send(supplyOf(plan)))
  await use.engine.followOnce()
  const recorded = await use.client.operation(plan)
  expect(recorded).toMatchObject({ state: 'ABORTED', failureReason: 'CANCELLED' })
  expect(supplyOf(recorded)).toMatchObject({
    state: 'landing_late',
    blockNumber: (await headBlock()).number,
    submittedAt: null,
  })
})

test('a block that is not final takes as many statements for a hundred transactions as for two', async () => {
  const costs: { readonly head: number; readonly roundTrips: number; readonly final: number }[] = []
  const plans: PlannedTogether[] = []
  for (const wallets of [1, 10, 50]) {
    plans.push(...(await supplyTogether(use, { wallets })))
    const { statements: head, roundTrips } = await countStatements(use.engine.followOnce)
    expect(await statesOf(plans.slice(-wallets))).toEqual(['CONFIRMING'])
    await use.dev.mine(2)
    costs.push({ head, roundTrips, final: (await countStatements(use.engine.followOnce)).statements })
  }
  expect(await statesOf(plans)).toEqual(['COMPLETED'])
  expect(costs).toEqual([costs[0], costs[0], costs[0]])
})

test('a transaction whose inclusion cannot be recorded costs the others of its block nothing', async () => {
  const plans = await supplyTogether(use, { wallets: 4 })
  const bad = plans[2]!
  const when = `new.block_number is not null and new.operation_id = ${bad.plan.operationId} and new.position = 1`
  const repair = await breakRows(use.engine.db, { table: 'transactions', when })
  await use.engine.followOnce()
  const blocks = async ({ client, plan }: PlannedTogether) => {
    const { transactions } = await client.operation(plan)
    return transactions.map((transaction) => anyState(transaction).blockNumber !== null)
  }
  expect(await Promise.all(plans.map(blocks))).toEqual([
    [true, true],
    [true, true],
    [true, false],
    [true, true],
  ])
  await repair()
  await use.engine.settle()
  expect(await statesOf(plans)).toEqual(['COMPLETED'])
})

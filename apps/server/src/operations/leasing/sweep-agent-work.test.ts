// Also tested elsewhere: the effects of a failure report (report-failed.test.ts), leases in random sequences
// (agents/random-lease-sequences.test.ts), and agents that die (agents/crash-recovery.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { createTestAgent, type TestAgent } from '../../../testing/agents/test-agent.ts'
import { breakRows } from '../../../testing/database/break-rows.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { createOperationalWallet, planExplicitMove } from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { abortAbandonedOperations, failWithheldOperations } from './sweep-agent-work.ts'

const use = useEngine()
const HOUR = 3_600_000
let operation: Operation
let agent: TestAgent

beforeEach(async () => {
  const wallet = await createOperationalWallet(use.engine, use.client)
  operation = await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 600n * USDC })
  agent = createTestAgent(use.engine, use.client)
})

const state = async () => (await use.client.operation(operation)).state

test('withheld work fails its operation after half an hour, and its bytes may still land', async () => {
  const issued = await agent.pollRequired(1_000)
  use.engine.clock.advance(1_000)
  await agent.failed(issued)
  await failWithheldOperations(use.engine.parts)
  expect(await state()).toBe('EXECUTING')
  use.engine.clock.advance(HOUR / 2)
  expect(await failWithheldOperations(use.engine.parts)).toBe(1)
  const failed = await use.client.operation(operation)
  expect(failed).toMatchObject({ state: 'FAILED', failureReason: 'SUBMISSION' })
  expect(failed.transactions[0]!.canStillLand).toBe(true)
  expect((await use.balances()).reserved).toBe(0n)
})

test('work that no agent requests again within a day is aborted', async () => {
  await agent.pollRequired(1_000)
  use.engine.clock.advance(24 * HOUR)
  expect(await abortAbandonedOperations(use.engine.parts)).toBe(0)
  use.engine.clock.advance(1_000)
  expect(await abortAbandonedOperations(use.engine.parts)).toBe(1)
  expect(await use.client.operation(operation)).toMatchObject({ state: 'ABORTED', failureReason: 'ABORTED' })
  expect((await use.balances()).reserved).toBe(0n)
})

test('work that an agent leases again within a day goes on', async () => {
  await agent.pollRequired(1_000)
  use.engine.clock.advance(23 * HOUR)
  await agent.pollRequired(2 * HOUR)
  use.engine.clock.advance(HOUR + 2_000)
  expect(await abortAbandonedOperations(use.engine.parts)).toBe(0)
  expect(await state()).toBe('EXECUTING')
})

test.each([
  ['withheld', failWithheldOperations, 'FAILED'],
  ['abandoned', abortAbandonedOperations, 'ABORTED'],
] as const)('%s work whose operation cannot end does not delay the others', async (kind, sweep, ended) => {
  const other = await use.engine.client({ usdc: 1_000n * USDC })
  await use.engine.settle()
  const otherWallet = await createOperationalWallet(use.engine, other)
  const good = await planExplicitMove(use.engine, otherWallet, { type: 'SUPPLY', amount: 600n * USDC })
  for (const one of [agent, createTestAgent(use.engine, other)]) {
    const issued = await one.pollRequired(1_000)
    use.engine.clock.advance(1_000)
    if (kind === 'withheld') await one.failed(issued)
  }
  use.engine.clock.advance(24 * HOUR + 1_000)
  const repair = await breakRows(use.engine.db, { table: 'operations', when: `new.id = ${operation.operationId}` })
  await sweep(use.engine.parts)
  expect(await state()).toBe('EXECUTING')
  expect((await other.operation(good)).state).toBe(ended)
  await repair()
  await sweep(use.engine.parts)
  expect(await state()).toBe(ended)
})

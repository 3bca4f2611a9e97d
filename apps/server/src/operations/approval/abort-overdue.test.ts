// Also tested elsewhere: faults and crashes (simulate/treasury).
import { beforeEach, expect, test } from 'vitest'
import { createTestAgent } from '../../../testing/agents/test-agent.ts'
import { breakRows } from '../../../testing/database/break-rows.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import {
  createOperationalWallet,
  MANUAL_POLICY,
  planExplicitMove,
  setPolicy,
} from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import type { OperationalWallet } from '../../wallets/index.ts'
import { abortOverdueOperations } from './abort-overdue.ts'

const use = useEngine()
const DAY = 24 * 3_600_000
let wallet: OperationalWallet

beforeEach(async () => {
  wallet = await createOperationalWallet(use.engine, use.client)
})

const plan = () => planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 600n * USDC })

test('after seven days without approval, no earlier, an operation is ABORTED and releases its amount', async () => {
  await setPolicy(use.engine, wallet.organizationId, MANUAL_POLICY)
  const operation = await plan()
  use.engine.clock.advance(7 * DAY - 1)
  await abortOverdueOperations(use.engine.parts)
  expect((await use.client.operation(operation)).state).toBe('PENDING_APPROVAL')
  use.engine.clock.advance(1)
  await abortOverdueOperations(use.engine.parts)
  expect(await use.client.operation(operation)).toMatchObject({ state: 'ABORTED', failureReason: 'ABORTED' })
  expect(await use.balances()).toEqual({ available: 1_000n, reserved: 0n, deployed: 0n })
})

test('an operation that no agent leases within a day is ABORTED', async () => {
  const operation = await plan()
  use.engine.clock.advance(DAY - 1)
  await abortOverdueOperations(use.engine.parts)
  expect((await use.client.operation(operation)).state).toBe('EXECUTING')
  use.engine.clock.advance(1)
  await abortOverdueOperations(use.engine.parts)
  expect(await use.client.operation(operation)).toMatchObject({ state: 'ABORTED', failureReason: 'ABORTED' })
  expect(await createTestAgent(use.engine, use.client).poll()).toBeUndefined()
})

test('an operation whose bytes an agent has is not aborted', async () => {
  const operation = await plan()
  await createTestAgent(use.engine, use.client).pollRequired()
  use.engine.clock.advance(DAY)
  await abortOverdueOperations(use.engine.parts)
  expect((await use.client.operation(operation)).state).toBe('EXECUTING')
})

test('an operation that cannot be aborted does not delay the others', async () => {
  const bad = await plan()
  const other = await use.engine.client({ usdc: 1_000n * USDC })
  await use.engine.settle()
  const otherWallet = await createOperationalWallet(use.engine, other)
  const good = await planExplicitMove(use.engine, otherWallet, { type: 'SUPPLY', amount: 600n * USDC })
  use.engine.clock.advance(DAY)
  const repair = await breakRows(use.engine.db, { table: 'operations', when: `new.id = ${bad.operationId}` })
  expect(await abortOverdueOperations(use.engine.parts)).toBe(2)
  expect((await use.client.operation(bad)).state).toBe('EXECUTING')
  expect((await other.operation(good)).state).toBe('ABORTED')
  await repair()
  await abortOverdueOperations(use.engine.parts)
  expect((await use.client.operation(bad)).state).toBe('ABORTED')
})

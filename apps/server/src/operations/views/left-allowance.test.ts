import { beforeEach, expect, test } from 'vitest'
import { createTestAgent, type TestAgent } from '../../../testing/agents/test-agent.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { createOperationalWallet, planExplicitMove } from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import type { OperationalWallet } from '../../wallets/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { leftAllowance } from './left-allowance.ts'

const AAVE = 'aave-v3:polygon:USDC'
const use = useEngine()
let wallet: OperationalWallet
let agent: TestAgent
beforeEach(async () => {
  wallet = await createOperationalWallet(use.engine, use.client)
  agent = createTestAgent(use.engine, use.client)
})

const setStatus = (status: 'active' | 'paused') =>
  use.engine.db.updateTable('strategies').set({ status }).where('key', '=', AAVE).execute()
const left = async (operation: Operation) => leftAllowance(use.engine.parts, await use.client.operation(operation))

/** A supply that was aborted after its approval had landed. */
async function aborted(): Promise<Operation> {
  const operation = await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 600n * USDC })
  const approval = await agent.pollRequired()
  await agent.submitted(approval, await use.dev.included(await agent.send(approval)))
  await use.engine.settle()
  expect(await left(operation), 'the deposit is to use it').toBeNull()
  await setStatus('paused')
  expect(await agent.poll()).toBeUndefined()
  await setStatus('active')
  expect(await use.client.operation(operation)).toMatchObject({ state: 'ABORTED' })
  return operation
}

test('an aborted supply shows the allowance that its approval left, and the call that revokes it', async () => {
  const operation = await aborted()
  const allowance = await left(operation)
  expect(allowance).toMatchObject({ spender: use.engine.strategy(AAVE).params.pool, amount: 600n * USDC })
  const { to, data } = allowance!.revocation
  await use.dev.included(await use.dev.call(use.client.account, to, data as `0x${string}`))
  expect(await left(operation)).toBeNull()
})

test('the next deposit to the same contract uses it up exactly, and meanwhile it is not shown', async () => {
  const operation = await aborted()
  const next = await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 200n * USDC })
  expect(await left(operation)).toBeNull()
  expect((await agent.carryOut(next)).state).toBe('COMPLETED')
  expect(await left(operation)).toBeNull()
  expect(await left(next)).toBeNull()
})

test('a wallet that never approved anything, and a chain that is unavailable, show none', async () => {
  const operation = await aborted()
  expect(
    await leftAllowance({ ...use.engine.parts, chains: new Map() }, await use.client.operation(operation)),
  ).toBeNull()
  const untouched = await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 100n * USDC })
  expect(await left(untouched)).toBeNull()
})

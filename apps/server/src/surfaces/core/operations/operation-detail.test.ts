import { beforeEach, expect, test } from 'vitest'
import { createTestAgent, type TestAgent } from '../../../../testing/agents/test-agent.ts'
import type { TestClient } from '../../../../testing/operations/test-client.ts'
import { createOperationalWallet, planExplicitMove } from '../../../../testing/rebalancing/operational-wallets.ts'
import { useTreasury } from '../../../../testing/surfaces/use-treasury.ts'
import { USDC } from '../../../../testing/units.ts'
import { AGENT_INSUFFICIENT_GAS_RETRY_MS } from '../../../kernel/index.ts'
import type { Operation } from '../../../operations/index.ts'
import type { OperationalWallet } from '../../../wallets/index.ts'
import { operationDetailRoute } from './operation-detail.ts'

const treasury = useTreasury((app, parts) => operationDetailRoute(app, parts, false))
let client: TestClient
let agent: TestAgent
let wallet: OperationalWallet
beforeEach(async () => {
  const { engine, staff } = treasury
  client = await engine.client({ organizationId: staff.organizationId, usdc: 1_000n * USDC })
  await engine.settle()
  wallet = await createOperationalWallet(engine, client)
  agent = createTestAgent(engine, client)
})

const supply = () => planExplicitMove(treasury.engine, wallet, { type: 'SUPPLY', amount: 600n * USDC })
const detail = ({ operationId }: Pick<Operation, 'operationId'>) => treasury.read(`/api/core/operations/${operationId}`)

test('an operation that an agent failed shows the agent’s report at each of its steps', async () => {
  const operation = await supply()
  const open = await detail(operation)
  for (const step of open.steps) expect(step).not.toHaveProperty('error')
  await agent.failed(await agent.pollRequired(), { error: 'UNKNOWN_WALLET: this agent holds no key of it' })
  const error = 'The agent reported: UNKNOWN_WALLET: this agent holds no key of it'
  expect(await detail(operation)).toMatchObject({
    status: 'FAILED',
    failureReason: 'SUBMISSION',
    steps: [
      { status: 'FAILED', error },
      { status: 'FAILED', error },
    ],
  })
})

test('a step that its contract reverted shows the contract’s reason', async () => {
  const operation = await supply()
  const approval = await agent.pollRequired()
  await agent.submitted(approval, await treasury.dev.included(await agent.send(approval)))
  await treasury.engine.settle()
  const last = await agent.pollRequired()
  await treasury.dev.withoutMining(async () => {
    await agent.submitted(last, await agent.send(last))
    // The wallet is empty when the block is made.
    await treasury.dev.rpc('anvil_dealERC20', client.address, client.usdcAddress, '0x0')
  })
  await treasury.engine.settle()
  const { failureReason, steps } = await detail(operation)
  expect(failureReason).toBe('ONCHAIN')
  expect(steps[0]).not.toHaveProperty('error')
  expect(steps[1]).toMatchObject({
    status: 'FAILED',
    error: expect.stringMatching(/^The contract reverted the transaction\. Its reason: .*balance/i),
  })
})

test('an operation that is not issued to agents shows why, until it is', async () => {
  const operation = await supply()
  expect((await detail(operation)).pausedBecause).toBeNull()
  const setGas = (wei: bigint) => treasury.dev.rpc('anvil_setBalance', client.address, `0x${wei.toString(16)}`)
  await setGas(0n)
  expect(await agent.poll()).toBeUndefined()
  expect(await detail(operation)).toMatchObject({
    status: 'EXECUTING',
    pausedBecause: 'The wallet holds too little of the native token to pay the network fee.',
  })
  await setGas(10n ** 18n)
  treasury.engine.clock.advance(AGENT_INSUFFICIENT_GAS_RETRY_MS)
  await agent.pollRequired()
  expect((await detail(operation)).pausedBecause).toBeNull()
})

test('a completed request shows the exit that its money waits in', async () => {
  const QUEUE = 'erc7540:polygon:USDC'
  await client.complete(await client.supply(500n * USDC, QUEUE))
  const planned = await client.unwind(100n * USDC, QUEUE)
  expect(await detail(planned)).not.toHaveProperty('exit')
  await client.complete(planned)
  expect(await detail(planned)).toMatchObject({
    status: 'COMPLETED',
    exitStep: 'request',
    exit: { status: 'pending', pending: expect.stringMatching(/^(?:99\.99|100\.)/), claimed: '0.00' },
  })
})

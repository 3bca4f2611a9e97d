import { beforeEach, expect, test } from 'vitest'
import { createTestAgent, type TestAgent } from '../../../testing/agents/test-agent.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { createOperationalWallet, planExplicitMove } from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import { Failure } from '../../kernel/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { pauseReason } from './pause-reason.ts'

const use = useEngine()
let operation: Operation
let agent: TestAgent

beforeEach(async () => {
  operation = await planExplicitMove(use.engine, await createOperationalWallet(use.engine, use.client), {
    type: 'SUPPLY',
    amount: 600n * USDC,
  })
  agent = createTestAgent(use.engine, use.client)
})

const reason = async () => pauseReason(use.engine.parts, await use.client.operation(operation))

test('work that is unclaimed, leased or submitted has no reason', async () => {
  expect(await reason()).toBeNull()
  const taken = await agent.pollRequired()
  expect(await reason()).toBeNull()
  await agent.submitted(taken, await use.dev.included(await agent.send(taken)))
  expect(await reason()).toBeNull()
})

test('an unavailable chain is the reason until the work is leased', async () => {
  const { chain, parts } = use.engine
  const senderState = () => Promise.reject(new Failure('CHAIN_UNAVAILABLE'))
  const unavailable = { ...chain, isResting: () => true, senderState }
  const blockedAgent = createTestAgent(use.engine, use.client, {
    ...parts,
    chains: new Map([['polygon', unavailable as typeof chain]]),
  })
  expect(await blockedAgent.poll()).toBeUndefined()
  expect(await reason()).toBe('The blockchain was unavailable at the last check.')
  await agent.pollRequired()
  expect(await reason()).toBeNull()
})

test('a reported failure that other agents may disprove is the reason, with the text of the agent', async () => {
  const taken = await agent.pollRequired(1_000)
  use.engine.clock.advance(1_000)
  await agent.failed(taken, { error: 'SIGNER_REFUSED: no' })
  expect(await reason()).toBe(
    'Its bytes are not issued again until it is known whether they landed. The agent reported: SIGNER_REFUSED: no',
  )
})

test('an operation that has ended has no reason', async () => {
  await agent.failed(await agent.pollRequired())
  expect(await reason()).toBeNull()
})

import { beforeEach, expect, test } from 'vitest'
import { createOperationalWallet, planExplicitMove } from '../../../testing/operational-wallets.ts'
import { createTestAgent, type TestAgent } from '../../../testing/test-agent.ts'
import { USDC } from '../../../testing/units.ts'
import { useEngine } from '../../../testing/use-engine.ts'
import { Failure } from '../../kernel/index.ts'
import type { Operation } from '../lifecycle/operation.ts'
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

const why = async () => pauseReason(use.engine.parts, await use.client.operation(operation))

test('nothing stands in the way of what nobody asked for, is leased, or was submitted', async () => {
  expect(await why()).toBeNull()
  const taken = await agent.pollRequired()
  expect(await why()).toBeNull()
  await agent.submitted(taken, await use.dev.included(await agent.send(taken)))
  expect(await why()).toBeNull()
})

test('a chain that did not answer is told, until the work is taken', async () => {
  const { chain, parts } = use.engine
  const silent = { ...chain, senderState: () => Promise.reject(new Failure('CHAIN_UNAVAILABLE')) }
  const asking = createTestAgent(use.engine, use.client, {
    ...parts,
    chains: new Map([['polygon', silent as typeof chain]]),
  })
  expect(await asking.poll()).toBeUndefined()
  expect(await why()).toBe('The blockchain did not answer when it was last looked at.')
  await agent.pollRequired()
  expect(await why()).toBeNull()
})

test('a failure that others may prove wrong is told with what the agent said', async () => {
  const taken = await agent.pollRequired(1_000)
  use.engine.clock.advance(1_000)
  await agent.failed(taken, { error: 'SIGNER_REFUSED: no' })
  expect(await why()).toBe(
    'Nobody is given its bytes until it is settled whether they land. The agent reported: SIGNER_REFUSED: no',
  )
})

test('what ended is not paused', async () => {
  await agent.failed(await agent.pollRequired())
  expect(await why()).toBeNull()
})

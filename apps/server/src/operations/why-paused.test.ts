import { beforeEach, expect, test } from 'vitest'
import { agentOf, type TestAgent } from '../../testing/agent.ts'
import { USDC } from '../../testing/main-job.ts'
import { monitor, move } from '../../testing/monitored.ts'
import { useMainJob } from '../../testing/use-main-job.ts'
import { Failure } from '../kernel/index.ts'
import type { Operation } from './operation.ts'
import { whyPaused } from './why-paused.ts'

const use = useMainJob()
let operation: Operation
let agent: TestAgent

beforeEach(async () => {
  operation = await move(use.job, await monitor(use.job, use.client), { type: 'SUPPLY', amount: 600n * USDC })
  agent = agentOf(use.job, use.client)
})

const why = async () => whyPaused(use.job.parts, await use.client.operation(operation))

test('nothing stands in the way of what nobody asked for, is leased, or was submitted', async () => {
  expect(await why()).toBeNull()
  const taken = await agent.take()
  expect(await why()).toBeNull()
  await agent.submitted(taken, await use.dev.included(await agent.send(taken)))
  expect(await why()).toBeNull()
})

test('a chain that did not answer is told, until the work is taken', async () => {
  const { chain, parts } = use.job
  const silent = { ...chain, sender: () => Promise.reject(new Failure('CHAIN_UNAVAILABLE')) }
  const asking = agentOf(use.job, use.client, { ...parts, chains: new Map([['polygon', silent as typeof chain]]) })
  expect(await asking.poll()).toBeUndefined()
  expect(await why()).toBe('The blockchain did not answer when it was last looked at.')
  await agent.take()
  expect(await why()).toBeNull()
})

test('a failure that others may prove wrong is told with what the agent said', async () => {
  const taken = await agent.take(1_000)
  use.job.clock.advance(1_000)
  await agent.failed(taken, { error: 'SIGNER_REFUSED: no' })
  expect(await why()).toBe(
    'Nobody is given its bytes until it is settled whether they land. The agent reported: SIGNER_REFUSED: no',
  )
})

test('what ended is not paused', async () => {
  await agent.failed(await agent.take())
  expect(await why()).toBeNull()
})

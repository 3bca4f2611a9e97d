import { beforeEach, expect, test } from 'vitest'
import { createTestAgent, type TestAgent } from '../../testing/agents/test-agent.ts'
import { useEngine } from '../../testing/operations/use-engine.ts'
import { createOperationalWallet, planExplicitMove } from '../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../testing/units.ts'
import { CallUnfinishedError, evmCall } from '../chains/index.ts'
import { AGENT_INSUFFICIENT_GAS_RETRY_MS, Failure, systemRandomSource } from '../kernel/index.ts'
import { type Operation, pauseReason } from '../operations/index.ts'
import { createTransactionPolls } from './poll-transactions.ts'

const UPGRADEABLE = 'erc4626:polygon:USDC:upgradeable'
const use = useEngine()
let slow: Operation
let supply: TestAgent

/** The engine's parts, with a chain that cannot simulate a deposit into this vault. */
function partsFailingWith(error: Failure) {
  const { chain, parts } = use.engine
  const vault = use.engine.strategy(UPGRADEABLE).params.vault!.toLowerCase()
  const simulate: typeof chain.simulate = async (from, calls) => {
    if (calls.some((call) => evmCall(call).to.toLowerCase() === vault)) throw error
    return chain.simulate(from, calls)
  }
  return { ...parts, chains: new Map([['polygon', { ...chain, simulate }]]), random: systemRandomSource }
}

const unfinished = () => new CallUnfinishedError('eth_estimateGas', 'execution aborted (timeout = 5s)')

beforeEach(async () => {
  const wallet = await createOperationalWallet(use.engine, use.client)
  const strategyId = use.engine.strategy(UPGRADEABLE).id
  slow = await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 100n * USDC, strategyId })
  supply = createTestAgent(use.engine, use.client)
})

test.each([
  ['a node cannot finish', unfinished()],
  ['a node refuses', new Failure('CHAIN_UNAVAILABLE')],
])('a simulation that %s holds up neither another wallet nor another organization', async (_, error) => {
  const { engine } = use
  const neighbour = await engine.client({ usdc: 1_000n * USDC, organizationId: use.client.wallet.organizationId })
  const stranger = await engine.client({ usdc: 1_000n * USDC })
  await engine.settle()
  for (const client of [neighbour, stranger]) {
    await planExplicitMove(engine, await createOperationalWallet(engine, client), { type: 'SUPPLY', amount: USDC })
  }
  const poll = createTransactionPolls(partsFailingWith(error))
  const issuedTo = async ({ wallet: { organizationId } }: typeof stranger) =>
    (await poll({ organizationId, leaseDurationMs: 30_000, signal: AbortSignal.abort() }))?.operation.opWalletId
  expect(await issuedTo(use.client), 'what is behind it').not.toBe(slow.opWalletId)
  expect(await issuedTo(use.client)).toBeUndefined()
  expect(await issuedTo(stranger)).toBeDefined()
})

test('a simulation that a node cannot finish ends no operation, however often', async () => {
  const patient = createTestAgent(use.engine, use.client, partsFailingWith(unfinished()))
  for (let attempt = 0; attempt < 20; attempt += 1) {
    expect(await patient.poll()).toBeUndefined()
    use.engine.clock.advance(AGENT_INSUFFICIENT_GAS_RETRY_MS)
  }
  const waiting = await use.client.operation(slow)
  expect(waiting.state).toBe('EXECUTING')
  expect(await pauseReason(use.engine.parts, waiting)).toBe('A node could not finish its simulation.')
  expect((await supply.pollRequired()).operation.operationId).toBe(slow.operationId)
})

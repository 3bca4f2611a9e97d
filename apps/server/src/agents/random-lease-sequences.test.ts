import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestAgent, type TestAgent } from '../../testing/agents/test-agent.ts'
import { draws } from '../../testing/draws.ts'
import { expectLedgerMatchesChain, expectValidLedger } from '../../testing/ledger/expect-ledger.ts'
import type { TestClient } from '../../testing/operations/test-client.ts'
import { useEngine } from '../../testing/operations/use-engine.ts'
import { createOperationalWallet, planExplicitMove } from '../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../testing/units.ts'
import { Failure } from '../kernel/index.ts'
import {
  abortAbandonedOperations,
  failWithheldOperations,
  type IssuedBytes,
  offerStuckTransactions,
} from '../operations/index.ts'
import type { OperationalWallet } from '../wallets/index.ts'

/**
 * Any sequence of actions of agents, clock, chain and sweepers on the operations of one wallet. At every moment all
 * issued bytes that can still land share one nonce, so only one of them lands. In the end nothing is stuck, and the
 * chain shows exactly one effect for each completed operation.
 */
const AMOUNT = 100n * USDC
const START = 1_000n * USDC
/** `LEASE_RUNS=200` draws 200 new ones; a failure prints the seed and the path, and `LEASE_SEED` takes the seed. */
const DRAWS = draws('LEASE_', { numRuns: 12, seed: 20_260_303 })

const use = useEngine()

const who = fc.constantFrom(0, 1)
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('poll' as const), who, leaseMs: fc.constantFrom(1_000, 60_000) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('send' as const), who, feePercent: fc.constantFrom(100n, 130n) }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('submitted' as const), who }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('failed' as const), who, withToken: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('wait' as const),
      ms: fc.constantFrom(1_000, 30_000, 300_000, 1_800_000, 86_400_000),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('mine' as const), blocks: fc.constantFrom(0, 1) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('use nonce' as const) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('sweep' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('plan' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

interface Hands {
  readonly agent: TestAgent
  held: IssuedBytes | undefined
  sent: string | undefined
}

interface LeaseScenario {
  readonly client: TestClient
  readonly wallet: OperationalWallet
  readonly hands: readonly [Hands, Hands]
  /** Nonces of bytes issued to agents. */
  readonly nonces: number[]
}

test('in any sequence, outstanding bytes share one nonce, and each completed operation has one effect', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24 }), async (steps) => {
      const scenario = await begin()
      await use.dev.withoutMining(async () => {
        for (const next of steps) {
          await take(scenario, next)
          await expectOneLiveNonce(scenario)
        }
      })
      await finish(scenario)
    }),
    DRAWS,
  )
})

async function begin(): Promise<LeaseScenario> {
  const client = await use.engine.client({ usdc: START })
  await use.engine.settle()
  const wallet = await createOperationalWallet(use.engine, client)
  const hands = (): Hands => ({ agent: createTestAgent(use.engine, client), held: undefined, sent: undefined })
  const scenario: LeaseScenario = { client, wallet, hands: [hands(), hands()], nonces: [] }
  await plan(scenario)
  return scenario
}

/** Refused while another operation of the wallet is in progress, or when the money is gone. */
async function plan({ wallet }: LeaseScenario): Promise<void> {
  await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: AMOUNT }).catch(
    refusedWith('OPERATION_IN_PROGRESS', 'INSUFFICIENT_BALANCE'),
  )
}

const refusedWith =
  (...codes: string[]) =>
  (error: unknown): void => {
    if (!(error instanceof Failure) || !codes.includes(error.code)) throw error
  }

async function take(scenario: LeaseScenario, next: Step): Promise<void> {
  switch (next.does) {
    case 'plan':
      return plan(scenario)
    case 'wait':
      return use.engine.clock.advance(next.ms)
    case 'mine':
      if (next.blocks > 0) await use.dev.mine(next.blocks)
      return use.engine.followOnce()
    case 'use nonce':
      await scenario.client.useNonce().catch(() => undefined)
      return
    case 'sweep':
      await failWithheldOperations(use.engine.parts)
      await abortAbandonedOperations(use.engine.parts)
      await offerStuckTransactions(use.engine.parts)
      return
    default:
      return act(scenario, scenario.hands[next.who as 0 | 1], next)
  }
}

async function act(scenario: LeaseScenario, hands: Hands, next: Extract<Step, { who: number }>): Promise<void> {
  if (next.does === 'poll') {
    const issued = await hands.agent.poll(next.leaseMs)
    if (!issued) return
    hands.held = issued
    hands.sent = undefined
    scenario.nonces.push(issued.transaction.nonce!)
    return
  }
  const { agent, held: issued, sent } = hands
  if (!issued) return
  // A node refuses stale or underpriced bytes; then nothing was sent.
  if (next.does === 'send') hands.sent = await agent.send(issued, { feePercent: next.feePercent }).catch(() => sent)
  else if (next.does === 'submitted' && sent) await agent.submitted(issued, sent)
  else if (next.does === 'failed')
    await agent.failed(issued, { withToken: next.withToken }).catch(refusedWith('LEASE_LOST'))
}

/** All issued bytes that no block has used up share one nonce. */
async function expectOneLiveNonce({ client, nonces }: LeaseScenario): Promise<void> {
  const count = Number(await use.dev.rpc<string>('eth_getTransactionCount', client.address, 'latest'))
  expect([...new Set(nonces.filter((nonce) => nonce >= count))].length).toBeLessThanOrEqual(1)
}

/** Working agents, a mining chain, and time: then everything completes. */
async function finish(scenario: LeaseScenario): Promise<void> {
  const [{ agent }] = scenario.hands
  for (let rounds = 0; rounds < 30; rounds += 1) {
    await use.dev.mine(1)
    await use.engine.followOnce()
    await failWithheldOperations(use.engine.parts)
    if ((await unfinished(scenario)).length === 0) break
    use.engine.clock.advance(1_800_000)
    const issued = await agent.poll()
    if (!issued) continue
    const hash = await agent.send(issued).catch(() => undefined)
    if (hash) await agent.submitted(issued, hash)
  }
  expect(await unfinished(scenario), 'stuck').toEqual([])
  await use.engine.settle()
  const operations = await operationsOf(scenario)
  const completed = operations.filter(({ state }) => state === 'COMPLETED')
  expect(await scenario.client.usdc()).toBe(START - AMOUNT * BigInt(completed.length))
  await expectValidLedger(use.engine)
  await expectLedgerMatchesChain(use.engine, [scenario.client.wallet.walletId])
}

const operationsOf = ({ client }: LeaseScenario) =>
  use.engine.db
    .selectFrom('operations')
    .select(['id', 'state'])
    .where('organization_id', '=', client.wallet.organizationId)
    .execute()

async function unfinished(scenario: LeaseScenario) {
  return (await operationsOf(scenario)).filter(({ state }) => state === 'EXECUTING' || state === 'CONFIRMING')
}

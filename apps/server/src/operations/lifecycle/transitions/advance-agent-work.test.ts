// Also tested elsewhere: every event in random order against the table (advance-transactions.test.ts), the table itself
// (lifecycle/states/agent-work-states.test.ts), claims (leasing/claim-transaction.test.ts), and the end of an operation
// (advance-operations.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { useStore } from '../../../../testing/operations/use-store.ts'
import { addMilliseconds } from '../../../kernel/index.ts'
import { claimTransaction } from '../../leasing/claim-transaction.ts'
import { startLease } from '../../leasing/start-lease.ts'
import type { Operation } from '../states/operation.ts'
import { type AgentWorkChange, advanceAgentWork, dequeueAgentWork, enqueueAgentWork } from './advance-agent-work.ts'

const store = useStore()
let operation: Operation
let other: Operation

beforeEach(async () => {
  const organizationId = await store.organization()
  const plan = async () => store.move(await store.operationalWallet(await store.wallet({ organizationId })))
  ;[operation, other] = [await plan(), await plan()]
})

const work = (of = operation) =>
  store.db.selectFrom('agent_work').selectAll().where('operation_id', '=', of.operationId).orderBy('position').execute()
const stages = async (of = operation) => (await work(of)).map(({ stage }) => stage)
const move = (change: AgentWorkChange, leaseToken?: string) => {
  const { organizationId, transactions } = operation
  const key = { organizationId, transactionId: transactions[0]!.transactionId }
  return advanceAgentWork(store.db, leaseToken === undefined ? key : { ...key, leaseToken }, change)
}
const claim = (leaseToken: string) =>
  claimTransaction(store.db, {
    organizationId: operation.organizationId,
    blockchains: ['polygon'],
    leaseToken,
    now: store.clock.now(),
  })

test('the first transaction of a queued operation is ready, and the others wait', async () => {
  await store.tx((tx) => dequeueAgentWork(tx, operation))
  expect(await stages()).toEqual([])
  expect(await stages(other), 'other operations stay in the queue').toEqual(['ready', 'waiting'])
  await store.tx((tx) => enqueueAgentWork(tx, operation, store.clock.now()))
  expect(await stages()).toEqual(['ready', 'waiting'])
  expect(await stages(other)).toEqual(['ready', 'waiting'])
})

test('an operation is in the queue once: queueing it again is refused', async () => {
  const again = store.tx((tx) => enqueueAgentWork(tx, operation, store.clock.now()))
  await expect(again).rejects.toThrow('duplicate key')
  expect(await stages()).toEqual(['ready', 'waiting'])
})

test('a claim that another agent has replaced moves nothing', async () => {
  await claim('lease_1')
  const availableAt = addMilliseconds(store.clock.now(), 5_000)
  const before = await work()
  await move({ event: 'paused', availableAt, reason: 'It waits.' }, 'lease_0')
  expect(await work()).toEqual(before)
  await move({ event: 'paused', availableAt, reason: 'It waits.' }, 'lease_1')
  expect(await work()).toMatchObject([
    { stage: 'paused', available_at: availableAt, leased_until: null, pause_reason: 'It waits.' },
    { stage: 'waiting' },
  ])
})

test('an event without a transition from the stage changes nothing', async () => {
  const before = await work()
  await move({ event: 'withheld', at: store.clock.now(), by: 'agent' })
  await move({ event: 'released_unissued', availableAt: store.clock.now(), reason: 'x' })
  expect(await work()).toEqual(before)
})

test('a claim whose bytes were never issued returns to ready, one with issued bytes is paused', async () => {
  await claim('lease_1')
  const release = { availableAt: store.clock.now(), reason: 'The chain is unavailable.' }
  await move({ event: 'released_unissued', ...release }, 'lease_1')
  expect(await stages()).toEqual(['ready', 'waiting'])
  await claim('lease_2')
  await move({ event: 'released_issued', ...release }, 'lease_2')
  expect(await stages()).toEqual(['paused', 'waiting'])
})

test('withheld work keeps the moment when it was first withheld, and no agent can claim it', async () => {
  const since = store.clock.now()
  const claimed = (await claim('lease_1'))!
  await store.tx((tx) => startLease(tx, { claim: claimed, leaseDurationMs: 1_000, isFirstIssue: true, at: since }))
  await move({ event: 'withheld', at: since, by: 'agent' })
  store.clock.advance(1_000)
  await move({ event: 'withheld', at: store.clock.now(), by: 'agent' })
  expect(await work()).toMatchObject([{ stage: 'withheld', withheld_at: since }, { stage: 'waiting' }])
  expect((await claim('lease_2'))?.operationId).toBe(other.operationId)
})

// Also tested elsewhere: leases over HTTP (surfaces/core/agent/agent-routes.test.ts), in random sequences
// (agents/random-lease-sequences.test.ts), and under faults and crashes (simulate/treasury).
import { beforeEach, expect, test } from 'vitest'
import { createTestAgent, type TestAgent } from '../../../testing/agents/test-agent.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { createOperationalWallet, planExplicitMove } from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import { addMilliseconds } from '../../kernel/index.ts'
import type { IssuedBytes } from '../index.ts'
import type { TransactionClaim } from './lease.ts'
import { pauseWork, recordFailedAttempt, releaseClaim, startLease } from './start-lease.ts'

const use = useEngine()
let agent: TestAgent
let issued: IssuedBytes
let claim: TransactionClaim

beforeEach(async () => {
  const wallet = await createOperationalWallet(use.engine, use.client)
  const { operationId } = await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 600n * USDC })
  agent = createTestAgent(use.engine, use.client)
  issued = await agent.pollRequired(30_000)
  claim = {
    organizationId: wallet.organizationId,
    transactionId: issued.transaction.transactionId,
    operationId,
    blockchain: 'polygon',
    leaseToken: issued.lease.leaseToken,
    wasIssued: true,
  } as TransactionClaim
})

const now = () => use.engine.clock.now()
const start = (by = claim, isAnew = false) =>
  use.engine.db
    .transaction()
    .execute((tx) => startLease(tx, { claim: by, leaseDurationMs: 60_000, isFirstIssue: isAnew, at: now() }))
const work = () =>
  use.engine.db
    .selectFrom('agent_work')
    .selectAll()
    .where('transaction_id', '=', claim.transactionId)
    .executeTakeFirstOrThrow()

test('a claim becomes a lease that begins now, and counts the leases of the same bytes', async () => {
  use.engine.clock.advance(1_000)
  expect(await start()).toEqual({
    leaseToken: claim.leaseToken,
    claimedAt: now(),
    leasedUntil: addMilliseconds(now(), 60_000),
  })
  expect(await work()).toMatchObject({ stage: 'leased', lease_count: 2 })
  await start(claim, true)
  expect((await work()).lease_count).toBe(1)
})

test('a claim that lapsed or that another agent holds does not become a lease', async () => {
  expect(await start({ ...claim, leaseToken: 'lease_of_another' })).toBeUndefined()
  use.engine.clock.advance(30_000)
  expect(await start()).toBeUndefined()
})

test('released work can be claimed at once, paused work once its pause is over', async () => {
  await releaseClaim(use.engine.db, claim, now())
  expect(await work()).toMatchObject({ stage: 'paused', leased_until: null })
  const again = await agent.pollRequired()
  expect(again.transaction.unsignedBytes).toBe(issued.transaction.unsignedBytes)
  const next = { ...claim, leaseToken: again.lease.leaseToken }
  await pauseWork(use.engine.db, next, addMilliseconds(now(), 5_000), 'It waits.')
  expect(await agent.poll()).toBeUndefined()
  use.engine.clock.advance(5_000)
  expect(await agent.poll()).toBeDefined()
})

test('a failed check is the last one only after several attempts over five minutes', async () => {
  const fail = () => use.engine.db.transaction().execute((tx) => recordFailedAttempt(tx, claim, now(), 'It reverts.'))
  const results: boolean[] = []
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await use.engine.db
      .updateTable('agent_work')
      .set({ stage: 'leased', lease_token: claim.leaseToken })
      .where('transaction_id', '=', claim.transactionId)
      .execute()
    results.push(await fail())
    use.engine.clock.advance(150_000)
  }
  expect(results).toEqual([false, false, true])
})

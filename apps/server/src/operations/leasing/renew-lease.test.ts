// Also tested elsewhere: over HTTP (surfaces/core/agent/agent-routes.test.ts), and leases in random sequences
// (agents/random-lease-sequences.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { createTestAgent, type TestAgent } from '../../../testing/agents/test-agent.ts'
import { expectRefused } from '../../../testing/operations/expect-refused.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { createOperationalWallet, planExplicitMove } from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import { addMilliseconds, LEASE_RENEWALS_MS } from '../../kernel/index.ts'
import type { IssuedBytes } from './commit-bytes.ts'
import { renewLease } from './renew-lease.ts'

const use = useEngine()
let agent: TestAgent
let issued: IssuedBytes

beforeEach(async () => {
  const wallet = await createOperationalWallet(use.engine, use.client)
  await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 600n * USDC })
  agent = createTestAgent(use.engine, use.client)
  issued = await agent.pollRequired(30_000)
})

const renew = (leaseToken: string | undefined, organizationId = use.client.wallet.organizationId) =>
  renewLease(use.engine.parts, {
    organizationId,
    transactionId: issued.transaction.transactionId,
    leaseDurationMs: 60_000,
    leaseToken,
  })

test('a renewed lease lasts its new duration from now, and no other agent gets the transaction meanwhile', async () => {
  use.engine.clock.advance(29_000)
  const lease = await renew(issued.lease.leaseToken)
  expect(lease).toEqual({ ...issued.lease, leasedUntil: addMilliseconds(use.engine.clock.now(), 60_000) })
  use.engine.clock.advance(59_999)
  expect(await agent.poll()).toBeUndefined()
  use.engine.clock.advance(1)
  expect(await agent.poll()).toBeDefined()
})

test('a shorter renewal leaves the lease as it is', async () => {
  const { lease } = issued
  const asked = { organizationId: use.client.wallet.organizationId, leaseToken: lease.leaseToken }
  const { transactionId } = issued.transaction
  expect(await renewLease(use.engine.parts, { ...asked, transactionId, leaseDurationMs: 1_000 })).toEqual(lease)
  use.engine.clock.advance(29_999)
  expect(await agent.poll()).toBeUndefined()
})

test('a lease that lapsed, that another agent holds, or that ended with a report is LEASE_LOST', async () => {
  const { db } = use.engine
  await expectRefused(db, 'LEASE_LOST', () => renew('lease_of_another'))
  use.engine.clock.advance(30_000)
  await expectRefused(db, 'LEASE_LOST', () => renew(issued.lease.leaseToken))
  const again = await agent.pollRequired()
  await expectRefused(db, 'LEASE_LOST', () => renew(issued.lease.leaseToken))
  await agent.submitted(again, await agent.send(again))
  await expectRefused(db, 'LEASE_LOST', () => renew(again.lease.leaseToken))
})

test('a transaction of another organization is TRANSACTION_NOT_FOUND', async () => {
  const other = await use.engine.organization()
  await expectRefused(use.engine.db, 'TRANSACTION_NOT_FOUND', () => renew(issued.lease.leaseToken, other))
})

test('a lease is renewed for a day, and then LEASE_LOST', async () => {
  const { db, clock } = use.engine
  const { claimedAt, leaseToken } = issued.lease
  const lastRenewal = addMilliseconds(claimedAt, LEASE_RENEWALS_MS - 1)
  while (clock.now() < lastRenewal) {
    await renew(leaseToken)
    clock.advance(Math.min(59_000, lastRenewal.getTime() - clock.now().getTime()))
  }
  await renew(leaseToken)
  clock.advance(1)
  await expectRefused(db, 'LEASE_LOST', () => renew(issued.lease.leaseToken))
})

// Also tested elsewhere: how leases begin (start-lease.test.ts), are renewed (renew-lease.test.ts) and end
// (report-failed.test.ts, report-submitted.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { useStore } from '../../../testing/operations/use-store.ts'
import { readAgentWork } from '../lifecycle/reads/read-agent-work.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { claimTransaction } from './claim-transaction.ts'
import { activeLease, isCurrentLease } from './lease.ts'
import { startLease } from './start-lease.ts'

const store = useStore()
const LEASE_MS = 30_000
let operation: Operation
let organizationId: number
let leases = 0

beforeEach(async () => {
  operation = await store.move(await store.operationalWallet(await store.wallet()))
  organizationId = operation.organizationId
})

const read = () => readAgentWork(store.db, organizationId, operation.transactions[0]!.transactionId)
/** Leases the first transaction. Returns the token. */
async function lease({ isNew = true } = {}): Promise<string> {
  leases += 1
  const now = store.clock.now()
  const request = { organizationId, blockchains: ['polygon'], leaseToken: `lease_${leases}`, now }
  const claim = (await claimTransaction(store.db, request))!
  await store.tx((tx) => startLease(tx, { claim, leaseDurationMs: LEASE_MS, isFirstIssue: isNew, at: now }))
  return claim.leaseToken
}

test('a lease is active for its holder until it lapses', async () => {
  const token = await lease()
  const active = async (leaseToken?: string) => activeLease(await read(), leaseToken, store.clock.now()) !== undefined
  expect([await active(token), await active(), await active('lease_of_another')]).toEqual([true, true, false])
  store.clock.advance(LEASE_MS - 1)
  expect(await active(token)).toBe(true)
  store.clock.advance(1)
  expect(await active(token)).toBe(false)
})

test('without a token a report refers to the only lease ever granted', async () => {
  expect(isCurrentLease(await read(), undefined), 'before any lease').toBe(false)
  const first = await lease()
  expect(isCurrentLease(await read(), undefined)).toBe(true)
  store.clock.advance(LEASE_MS)
  const second = await lease({ isNew: false })
  expect(isCurrentLease(await read(), undefined)).toBe(false)
  expect([isCurrentLease(await read(), first), isCurrentLease(await read(), second)]).toEqual([false, true])
  store.clock.advance(LEASE_MS)
  await lease({ isNew: true })
  expect(isCurrentLease(await read(), undefined), 'an agent that had the dead bytes may still report').toBe(false)
})

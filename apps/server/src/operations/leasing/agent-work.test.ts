// Also tested elsewhere: what each report changes (report-failed.test.ts, report-submitted.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { useStore } from '../../../testing/use-store.ts'
import { AGENT_REPORTS_STORED_MAX, addMilliseconds } from '../../kernel/index.ts'
import type { Operation } from '../lifecycle/operation.ts'
import {
  type AgentReport,
  findSameReport,
  isCurrentLease,
  isLeaseActive,
  lastFailureText,
  readAgentWork,
  storeReport,
  withholdWork,
} from './agent-work.ts'
import { claimTransaction } from './claim-transaction.ts'
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
  await store.tx((tx) => startLease(tx, claim, LEASE_MS, isNew, now))
  return claim.leaseToken
}
const report = (change: Partial<AgentReport> = {}): AgentReport => ({
  status: 'FAILED',
  txHash: null,
  error: 'no',
  leaseToken: 'lease_of_a_report',
  reportedAt: store.clock.now(),
  ...change,
})
const keep = async (...reports: AgentReport[]) => {
  for (const each of reports) await store.tx(async (tx) => storeReport(tx, await read(), each))
}

test('a lease is active for its holder until it lapses', async () => {
  const token = await lease()
  const active = async (leaseToken?: string) => isLeaseActive(await read(), leaseToken, store.clock.now())
  expect([await active(token), await active(), await active('lease_of_another')]).toEqual([true, true, false])
  store.clock.advance(LEASE_MS - 1)
  expect(await active(token)).toBe(true)
  store.clock.advance(1)
  expect(await active(token)).toBe(false)
})

test('without a token only the one lease that was ever granted is meant', async () => {
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

test('a stored report is found again by its content, a submission by any lease', async () => {
  await keep(report(), report({ status: 'SUBMITTED', txHash: '0x1', error: null }))
  const work = await read()
  expect(findSameReport(work, report())).toEqual(report())
  expect(findSameReport(work, report({ error: 'other' }))).toBeUndefined()
  expect(findSameReport(work, report({ leaseToken: null }))).toBeUndefined()
  const submitted = report({ status: 'SUBMITTED', txHash: '0x1', error: null })
  expect(findSameReport(work, { ...submitted, leaseToken: null })).toEqual(submitted)
  expect(findSameReport(work, { ...submitted, txHash: '0x2' })).toBeUndefined()
})

test('the latest reports are kept, up to their limit, and the last failure is quoted', async () => {
  const reports = Array.from({ length: AGENT_REPORTS_STORED_MAX + 2 }, (_, index) => report({ error: `no ${index}` }))
  await keep(...reports, report({ status: 'SUBMITTED', txHash: '0x1', error: null }))
  const work = await read()
  expect(findSameReport(work, report({ error: 'no 2' }))).toBeUndefined()
  expect(findSameReport(work, report({ error: 'no 3' }))).toBeDefined()
  expect(work.reported_at).toEqual(store.clock.now())
  expect(lastFailureText(work.report)).toBe(`The agent reported: no ${AGENT_REPORTS_STORED_MAX + 1}`)
  expect(work.stage).toBe('ready')
})

test('withheld work keeps the moment when it was first withheld, and no agent can claim it', async () => {
  await lease()
  const since = store.clock.now()
  await store.tx(async (tx) => withholdWork(tx, await read(), since))
  store.clock.advance(LEASE_MS)
  await store.tx(async (tx) => withholdWork(tx, await read(), addMilliseconds(since, LEASE_MS)))
  expect(await read()).toMatchObject({ stage: 'withheld', withheld_at: since })
  const request = { organizationId, blockchains: ['polygon'], leaseToken: 'lease_late', now: store.clock.now() }
  expect(await claimTransaction(store.db, request)).toBeUndefined()
})

test('a client’s transaction and another organization’s have no agent work: TRANSACTION_NOT_FOUND', async () => {
  const plan = await store.plan(await store.wallet({ organizationId }))
  const missing = { code: 'TRANSACTION_NOT_FOUND' }
  const { transactionId } = plan.transactions[0]!
  await expect(readAgentWork(store.db, organizationId, transactionId)).rejects.toMatchObject(missing)
  const other = await store.organization()
  const foreign = operation.transactions[0]!.transactionId
  await expect(readAgentWork(store.db, other, foreign)).rejects.toMatchObject(missing)
})

// Also tested elsewhere: what each report changes (report-failed.test.ts, report-submitted.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { useStore } from '../../../testing/operations/use-store.ts'
import { AGENT_REPORTS_STORED_MAX } from '../../kernel/index.ts'
import { readAgentWork } from '../lifecycle/reads/read-agent-work.ts'
import type { AgentReport } from '../lifecycle/states/agent-work.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { findSameReport, lastFailureText, storeReport } from './agent-reports.ts'

const store = useStore()
let operation: Operation
let organizationId: number

beforeEach(async () => {
  operation = await store.move(await store.operationalWallet(await store.wallet()))
  organizationId = operation.organizationId
})

const read = () => readAgentWork(store.db, organizationId, operation.transactions[0]!.transactionId)
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
  expect(work.lastReportedAt).toEqual(store.clock.now())
  expect(lastFailureText(work)).toBe(`The agent reported: no ${AGENT_REPORTS_STORED_MAX + 1}`)
  expect(work.stage).toBe('ready')
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

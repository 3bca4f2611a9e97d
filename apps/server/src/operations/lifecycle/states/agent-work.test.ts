import { expect, test } from 'vitest'
import type { AgentStage } from '../../../database/index.ts'
import { type AgentWork, agentWorkFrom, issueRecordOf } from './agent-work.ts'

const [CREATED, ISSUED, CLAIMED, UNTIL] = [1, 2, 3, 4].map((hour) => new Date(hour * 3_600_000)) as [
  Date,
  Date,
  Date,
  Date,
]
type AgentWorkRow = Parameters<typeof agentWorkFrom>[0]

/** A row whose bytes were issued under a lease, unless `fields` says otherwise. */
const row = (stage: AgentStage, fields: Partial<AgentWorkRow> = {}): AgentWorkRow => ({
  organization_id: 1,
  transaction_id: 2,
  operation_id: 3,
  position: 0,
  blockchain: 'polygon',
  sender: '0xab',
  stage,
  available_at: UNTIL,
  lease_token: 'token',
  leased_until: UNTIL,
  claimed_at: CLAIMED,
  last_lease_token: null,
  last_leased_at: null,
  lease_count: 2,
  issued_at: ISSUED,
  failed_check_count: 0,
  first_failed_check_at: null,
  withheld_at: UNTIL,
  withheld_by: null,
  pause_reason: null,
  replacement_issued_at: null,
  report: null,
  reported_at: null,
  created_at: CREATED,
  ...fields,
})
const NEVER_ISSUED = { lease_token: null, leased_until: null, claimed_at: null, lease_count: 0, issued_at: null }
const RECORD = { firstIssuedAt: ISSUED, leaseCount: 2, leaseToken: 'token', claimedAt: CLAIMED }
const IDENTITY = {
  organizationId: 1,
  transactionId: 2,
  operationId: 3,
  position: 0,
  blockchain: 'polygon',
  reports: [],
  lastReportedAt: null,
}

test('each stage has exactly the fields that exist in it', () => {
  expect(agentWorkFrom(row('waiting', NEVER_ISSUED))).toEqual({ ...IDENTITY, stage: 'waiting' })
  const claimable = { availableAt: UNTIL, pauseReason: null }
  expect(agentWorkFrom(row('ready', NEVER_ISSUED))).toEqual({ ...IDENTITY, ...claimable, stage: 'ready' })
  const lease = { leaseToken: 'token', claimedAt: CLAIMED, leasedUntil: UNTIL }
  const issued = RECORD
  const replacing = { replacementIssuedAt: null }
  expect(agentWorkFrom(row('leased'))).toEqual({
    ...IDENTITY,
    ...claimable,
    stage: 'leased',
    issued,
    ...replacing,
    lease,
  })
  expect(agentWorkFrom(row('paused'))).toEqual({ ...IDENTITY, ...claimable, stage: 'paused', issued, ...replacing })
  const withheld = { ...IDENTITY, stage: 'withheld', issued, withheldAt: UNTIL }
  const byWeir = row('withheld', { withheld_by: 'weir', pause_reason: 'a breaker' })
  expect(agentWorkFrom(byWeir)).toEqual({ ...withheld, withheldBy: 'weir', reason: 'a breaker' })
  expect(agentWorkFrom(row('withheld', { withheld_by: 'agent' }))).toEqual({ ...withheld, withheldBy: 'agent' })
  expect(agentWorkFrom(row('sent'))).toEqual({ ...IDENTITY, stage: 'sent', issued })
  expect(agentWorkFrom(row('done'))).toEqual({ ...IDENTITY, stage: 'done', issued })
})

test('work that a process of an earlier version withheld says by its reason whether Weir did', () => {
  expect(agentWorkFrom(row('withheld'))).toMatchObject({ withheldBy: 'agent' })
  expect(agentWorkFrom(row('withheld', { pause_reason: 'a breaker' }))).toMatchObject({ withheldBy: 'weir' })
})

test('a report of FAILED does not say who withheld the work: the column does', () => {
  const failed = { status: 'FAILED', txHash: null, error: 'no', leaseToken: 'token', reportedAt: CREATED.toISOString() }
  const stored = { withheld_by: 'weir', pause_reason: 'a breaker', report: { reports: [failed] } } as const
  expect(agentWorkFrom(row('withheld', stored))).toMatchObject({ withheldBy: 'weir', reason: 'a breaker' })
})

test('a claim is not a lease until its bytes are issued', () => {
  const preparing = { claimed_at: null }
  expect(agentWorkFrom(row('leased', preparing))).toMatchObject({
    lease: null,
    issued: { ...RECORD, claimedAt: null },
  })
  const last = { last_lease_token: 'before', last_leased_at: ISSUED }
  expect(agentWorkFrom(row('leased', { ...preparing, ...last }))).toMatchObject({
    lease: null,
    issued: { leaseToken: 'before', claimedAt: ISSUED },
  })
  expect(agentWorkFrom(row('leased', last))).toMatchObject({ issued: RECORD })
  expect(agentWorkFrom(row('leased', { ...preparing, issued_at: null }))).toMatchObject({ lease: null, issued: null })
})

test('no stage before the first lease has an issue record', () => {
  expect(issueRecordOf(agentWorkFrom(row('waiting', NEVER_ISSUED)))).toBeNull()
  expect(issueRecordOf(agentWorkFrom(row('ready', NEVER_ISSUED)))).toBeNull()
  expect(issueRecordOf(agentWorkFrom(row('done', NEVER_ISSUED)))).toBeNull()
  expect(issueRecordOf(agentWorkFrom(row('done')))).toEqual(RECORD)
})

test('reports have dates, whatever the stage', () => {
  const report = { status: 'FAILED', txHash: null, error: 'no', leaseToken: 'token', reportedAt: UNTIL.toISOString() }
  expect(agentWorkFrom(row('done', { report: { reports: [report] }, reported_at: UNTIL }))).toMatchObject({
    reports: [{ ...report, reportedAt: UNTIL }],
    lastReportedAt: UNTIL,
  })
})

test('the types refuse a field that the stage does not have', () => {
  const work: AgentWork = agentWorkFrom(row('sent'))
  // @ts-expect-error sent work has no lease
  expect(work.lease).toBeUndefined()
  if (work.stage === 'waiting') {
    // @ts-expect-error waiting work was never issued
    expect(work.issued).toBeUndefined()
  }
  // @ts-expect-error only withheld work has the time
  expect(work.withheldAt).toBeUndefined()
})

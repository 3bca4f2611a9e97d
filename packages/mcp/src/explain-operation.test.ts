import { expect, test } from 'vitest'
import { timelineOf, waitsFor } from './explain-operation.ts'

const operation = (status: Parameters<typeof waitsFor>[0]['status']) => ({ status, transactions: [] })
const timestamps = { approvedAt: null, rejectedAt: null, completedAt: null } as never
const detail = {
  status: 'EXECUTING',
  executor: 'agent',
  requiredApprovals: 0,
  pausedBecause: null,
  timestamps,
} as const

test('what an operation waits for is said for each status, and never that the assistant could do it', () => {
  const pending = { ...detail, status: 'PENDING_APPROVAL', requiredApprovals: 2 } as const
  expect(waitsFor(operation('PENDING'), pending)).toBe(
    'People: 2 of them must approve it in the dashboard. An assistant cannot.',
  )
  expect(waitsFor(operation('PENDING'), undefined)).toContain('An assistant cannot approve it')
  expect(waitsFor(operation('AWAITING_SIGNATURE'), undefined)).toContain('key of the wallet')
  expect(waitsFor(operation('AWAITING_SIGNATURE'), { ...detail, executor: 'client' })).toContain('key of the wallet')
  expect(waitsFor(operation('AWAITING_SIGNATURE'), detail)).toMatch(/^The custody agent/)
  expect(waitsFor(operation('AWAITING_SIGNATURE'), { ...detail, pausedBecause: 'no gas' })).toContain('pausedBecause')
  expect(waitsFor(operation('SUBMITTED'), detail)).toMatch(/^The chain/)
  expect(waitsFor(operation('CONFIRMED'), detail)).toMatch(/^Nothing: it is final/)
  expect(waitsFor(operation('FAILED'), detail)).toMatch(/^Nothing: it ended without effect/)
})

type Operation = Parameters<typeof waitsFor>[0]

/** A failed operation whose transactions have these statuses and codes. */
const failed = (transactions: readonly object[], facts: Partial<Operation> = {}) =>
  ({
    status: 'FAILED',
    transactions: transactions.map((own) => ({ id: 1, blockchain: 'polygon', description: '', ...own })),
    ...facts,
  }) as Operation

test.each([
  ['was dropped', [{ status: 'failed', txHash: '0x', failureCode: 'DROPPED' }]],
  ['timed out', [{ status: 'failed', txHash: '0x', failureCode: 'TIMEOUT' }]],
  ['was cancelled while its bytes were out', [{ status: 'failed', error: 'cancelled' }]],
  ['follows a reverted one', [{ status: 'failed', failureCode: 'REVERTED' }, { status: 'failed' }]],
])('a transaction that %s may still land', (_what, transactions) => {
  for (const failureReason of ['CANCELLED', 'SUPERSEDED', 'EXPIRED', 'ABORTED', 'ONCHAIN'] as const) {
    expect(waitsFor(failed(transactions, { failureReason }), undefined)).toContain('may still land')
    expect(waitsFor(failed(transactions, { failureReason }), detail)).toContain('may still land')
  }
})

test('what was never approved, or is dead on the chain, has no effect', () => {
  const unsent = [{ status: 'failed' }]
  const waited = { ...detail, requiredApprovals: 1 }
  expect(waitsFor(failed(unsent, { failureReason: 'REJECTED' }), undefined)).toMatch(/without effect/)
  expect(waitsFor(failed(unsent, { failureReason: 'ABORTED' }), waited)).toMatch(/without effect/)
  expect(waitsFor(failed([{ status: 'failed', failureCode: 'REVERTED' }]), detail)).toMatch(/without effect/)
})

test('an approval that is final is named, with what it lets the contract take', () => {
  const transactions = [{ status: 'confirmed' }, { status: 'failed', failureCode: 'REVERTED' }]
  const leftAllowance = { spender: '0x', amount: '5000000' } as unknown as NonNullable<Operation['leftAllowance']>
  expect(waitsFor(failed(transactions, { leftAllowance }), undefined)).toMatch(/may still take leftAllowance/)
  expect(waitsFor(failed(transactions), undefined)).toMatch(/leftAllowance would say/)
})

test('the timeline says that a final transaction reverted', () => {
  const confirmedAt = { iso: '2026-11-01T00:00:02.000Z' }
  const at = { createdAt: '2026-11-01T00:00:00.000Z' } as Parameters<typeof timelineOf>[0]
  const transactions = [
    { id: 1, type: 'APPROVE', status: 'CONFIRMED', timestamps: { detectedAt: null, confirmedAt } },
    { id: 2, type: 'SUPPLY', status: 'FAILED', timestamps: { detectedAt: null, confirmedAt } },
  ]
  const read = { timestamps, blockchainTransactions: transactions } as unknown as Parameters<typeof timelineOf>[1]
  expect(timelineOf(at, read).map(({ what }) => what)).toEqual([
    'planned',
    'transaction 1 (APPROVE) final',
    'transaction 2 (SUPPLY) final, and reverted',
  ])
})

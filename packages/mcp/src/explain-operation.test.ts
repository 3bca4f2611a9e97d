import { expect, test } from 'vitest'
import { waitsFor } from './explain-operation.ts'

const operation = (status: Parameters<typeof waitsFor>[0]['status']) => ({ status, transactions: [] })
const detail = { status: 'EXECUTING', executor: 'agent', requiredApprovals: 0, pausedBecause: null } as const

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

test.each(['DROPPED', 'TIMEOUT'])('a transaction that was sent and failed with %s may still land', (failureCode) => {
  const abandoned = {
    id: 1,
    blockchain: 'polygon',
    status: 'failed',
    description: '',
    txHash: '0x',
    failureCode,
  }
  const failed = { status: 'FAILED', transactions: [abandoned] } as Parameters<typeof waitsFor>[0]
  expect(waitsFor(failed, undefined)).toContain('may still land late')
})

import { expect, test } from 'vitest'
import { type Ended, mayPlanAgain, requestAgain } from './plan-again.ts'

const FAILED: Ended = {
  id: 9,
  type: 'SUPPLY',
  status: 'FAILED',
  failureReason: 'ONCHAIN',
  executor: 'client',
  opWalletId: null,
  walletId: 4,
  token: { symbol: 'USDC', decimals: 6, mintAddress: '0xusdc' },
  amount: { amount: '1234.50', currency: 'USDC' },
  strategy: { id: 3, name: 'Aave V3 USDC', estimatedAPY: '4.00%' },
}

test('what failed or was aborted is planned again, unless a newer plan took its place', () => {
  expect(mayPlanAgain(FAILED)).toBe(true)
  expect(mayPlanAgain({ ...FAILED, status: 'ABORTED', failureReason: 'EXPIRED' })).toBe(true)
  expect(mayPlanAgain({ ...FAILED, status: 'ABORTED', failureReason: 'SUPERSEDED' })).toBe(false)
  for (const status of ['COMPLETED', 'REJECTED', 'EXECUTING', 'PENDING_APPROVAL'] as const)
    expect(mayPlanAgain({ ...FAILED, status, failureReason: null }), status).toBe(false)
})

test('a claim of an exit and an allowance that is taken back have no form of their own', () => {
  expect(mayPlanAgain({ ...FAILED, type: 'UNWIND', exitStep: 'request' })).toBe(true)
  expect(mayPlanAgain({ ...FAILED, type: 'UNWIND', exitStep: 'claim' })).toBe(false)
  expect(mayPlanAgain({ ...FAILED, revokesAllowance: '5.00' })).toBe(false)
})

test('an API client plans the same again, in base units', () => {
  const body = { walletId: 4, strategyId: 3, amount: '1234500000' }
  expect(requestAgain(FAILED)).toEqual({
    method: 'POST',
    path: '/v1/operations/supply',
    body: { ...body, tokenAddress: '0xusdc' },
  })
  expect(requestAgain({ ...FAILED, type: 'UNWIND' })).toEqual({ method: 'POST', path: '/v1/operations/unwind', body })
})

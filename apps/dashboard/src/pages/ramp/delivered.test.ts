import { expect, test } from 'vitest'
import { deliveredOf } from './delivered.ts'

test('a payment in delivers its tokens; one out the payout, and nothing before the bank has it', () => {
  const payout = { type: 'offramp', delivered_amount: '10000.00' } as const
  expect(deliveredOf({ ...payout, payout_amount: '9975.00' })).toBe('9975.00')
  expect(deliveredOf({ ...payout, payout_amount: null })).toBeNull()
  expect(deliveredOf(payout)).toBeNull()
  expect(deliveredOf({ type: 'onramp', delivered_amount: '49875.00', payout_amount: null })).toBe('49875.00')
  expect(deliveredOf({ type: 'onramp', delivered_amount: null, payout_amount: null })).toBeNull()
})

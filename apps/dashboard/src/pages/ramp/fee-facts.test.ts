import { expect, test } from 'vitest'
import { feeFacts } from './fee-facts.ts'

const terms = { total_fee: '125.00', charged_fee: '0.00', developer_fee: '25.00' }

test('a completed payment cost its fee, and part of that is the share of the organization', () => {
  expect(feeFacts({ ...terms, status: 'completed', charged_fee: '125.00' })).toEqual({
    title: 'Fee, taken from the amount',
    fee: '125.00',
    share: '25.00',
  })
  const free = { status: 'completed', total_fee: '0.00', charged_fee: '0.00', developer_fee: '0.00' } as const
  expect(feeFacts(free).share).toBeUndefined()
})

test.each(['failed', 'rejected', 'reversed'] as const)('a payment that was %s cost nothing', (status) => {
  expect(feeFacts({ ...terms, status })).toEqual({ title: 'Fee charged', fee: '0.00', share: undefined })
})

test.each(['pending', 'processing', 'in_progress', 'awaiting_confirmation', 'broadcasted'] as const)(
  'while a payment is %s, its fee is what it would cost',
  (status) => {
    expect(feeFacts({ ...terms, status })).toEqual({ title: 'Fee if completed', fee: '125.00', share: undefined })
  },
)

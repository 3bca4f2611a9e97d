import { expect, test } from 'vitest'
import { takes } from './takes.ts'

const bounds = { minDeposit: '2000000', maxDeposit: null, tokenDecimals: 6 }

test('what a strategy takes is in tokens, up to the nearer of its bounds', () => {
  expect(takes(bounds)).toBe('from 2.00')
  expect(takes({ ...bounds, minDeposit: null })).toBe('from 0.00')
  expect(takes({ ...bounds, maxDeposit: '100000000000' })).toBe('2.00 to 100,000.00')
  const deposits = { state: 'open', room: '5000000' } as const
  expect(takes({ ...bounds, maxDeposit: '100000000000', deposits })).toBe('2.00 to 5.00')
  expect(takes({ ...bounds, deposits: { state: 'paused', room: null } })).toBe('nothing, paused')
  // A newer service may have states that this page does not know.
  expect(takes({ ...bounds, deposits: { state: 'winding_down' as never, room: null } })).toBe('nothing, winding down')
})

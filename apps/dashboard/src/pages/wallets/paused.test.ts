import { expect, test } from 'vitest'
import { endOf, pausedAfter } from './paused.ts'

const ended = (type: 'SUPPLY' | 'UNWIND', status: 'REJECTED' | 'FAILED' | 'COMPLETED') =>
  ({ type, status, origin: 'rebalancer' }) as const

test('a pause names the last move of its kind that Weir planned, and how it ended', () => {
  const supply = ended('SUPPLY', 'REJECTED')
  const own = { ...supply, origin: 'explicit' } as const
  const moves = [own, ended('UNWIND', 'FAILED'), supply, ended('SUPPLY', 'FAILED')]
  expect(pausedAfter(moves, 'SUPPLY')).toBe(supply)
  expect(endOf(pausedAfter(moves, 'SUPPLY'))).toBe('was rejected')
  expect(endOf(pausedAfter(moves, 'UNWIND'))).toBe('failed')
})

test('without such a move, the pause says what both causes have in common', () => {
  expect(endOf(pausedAfter([], 'SUPPLY'))).toBe('was rejected or failed')
  expect(endOf(ended('SUPPLY', 'COMPLETED'))).toBe('was rejected or failed')
})

import { expect, test } from 'vitest'
import { wholeOf } from './whole-move.ts'

test('a part of a larger move names what the whole of it is', () => {
  expect(wholeOf({ type: 'SUPPLY', reasons: { worth: '99998.51', excess: '124875.00' } })).toBe('124875.00')
  expect(wholeOf({ type: 'UNWIND', reasons: { worth: '10.00', shortfall: '25.00' } })).toBe('25.00')
})

test('an operation that is all of its move names nothing else', () => {
  expect(wholeOf({ type: 'SUPPLY', reasons: { worth: '100.00', excess: '100.000' } })).toBeUndefined()
  expect(wholeOf({ type: 'UNWIND', reasons: { worth: '100.00', shortfall: '90.00' } })).toBeUndefined()
  expect(wholeOf({ type: 'SUPPLY', reasons: { worth: '100.00' } })).toBeUndefined()
  expect(wholeOf({ type: 'SUPPLY', reasons: null })).toBeUndefined()
})

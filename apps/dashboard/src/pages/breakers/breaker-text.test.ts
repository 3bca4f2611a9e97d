import { expect, test } from 'vitest'
import { because, breakerName, opensAgain } from './breaker-text.ts'

const NEW = { kind: 'oracle_stale' as never, measure: '12.00' }

test('a kind of breaker that a newer service has is shown by its word', () => {
  expect(breakerName(NEW.kind)).toBe('Oracle stale')
  expect(because(NEW)).toBe('The service measured 12.00.')
  expect(because({ ...NEW, measure: null })).toBe('The service names no measure.')
  expect(opensAgain(NEW.kind)).toBe('It opens again when its fact gets worse.')
})

test('a known kind of breaker says what was measured', () => {
  expect(because({ kind: 'depeg', measure: '2.00' })).toBe('The token was 2.00% from 1 US dollar.')
})

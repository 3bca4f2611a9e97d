import { expect, test } from 'vitest'
import { ownLabel } from './own-label.ts'

const ADDRESS = '0x1234567890abcdef1234567890abcdef12345678'

test('the beginning of an address is no label that somebody gave', () => {
  expect(ownLabel(ADDRESS, '0x1234…5678')).toBeUndefined()
  expect(ownLabel(ADDRESS, undefined)).toBeUndefined()
  expect(ownLabel(ADDRESS, 'Payouts')).toBe('Payouts')
  expect(ownLabel(null, 'Payouts')).toBe('Payouts')
})

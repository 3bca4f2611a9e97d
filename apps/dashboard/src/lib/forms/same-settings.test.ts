import { expect, test } from 'vitest'
import { isSameSettings } from './same-settings.ts'

test('a number is the same with and without the zeros after its point', () => {
  expect(isSameSettings({ caps: [{ maxShare: '31' }] }, { caps: [{ maxShare: '31.00' }] })).toBe(true)
  expect(isSameSettings({ share: '0.50' }, { share: '0.5' })).toBe(true)
  expect(isSameSettings({ share: '100' }, { share: '1' })).toBe(false)
  expect(isSameSettings({ share: '100.00' }, { share: '1' })).toBe(false)
  expect(isSameSettings({ share: null }, { share: '0' })).toBe(false)
})

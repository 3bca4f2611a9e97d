import fc from 'fast-check'
import { expect, test } from 'vitest'
import { truncate } from './truncate.ts'

test('a text within the length is unchanged', () => {
  for (const text of ['', 'abc', '12😀']) expect(truncate(text, 4)).toBe(text)
})

test('a character that does not fit is left out whole', () => {
  expect(truncate('123😀', 4)).toBe('123')
  expect(truncate('😀😀', 3)).toBe('😀')
})

test('whatever the text and the length, the result is its beginning and well formed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, length) => {
      const short = truncate(text, length)
      expect(text.startsWith(short) && short.isWellFormed()).toBe(true)
      expect(short.length).toBeLessThanOrEqual(length)
      expect(short.length).toBeGreaterThanOrEqual(Math.min(text.length, length) - 1)
    }),
  )
})

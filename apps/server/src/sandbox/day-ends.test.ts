import { expect, test } from 'vitest'
import { dayEnds } from './day-ends.ts'

const at = (text: string) => new Date(`2026-${text}Z`)
const shown = (from: string, to: string) => dayEnds(at(from), at(to)).map((end) => end.toISOString().slice(5, 19))

test('returns the last second of each UTC day that ends on the way and no other moment', () => {
  expect(shown('02-27T10:00:00', '03-02T00:00:00')).toEqual(['02-27T23:59:59', '02-28T23:59:59', '03-01T23:59:59'])
  expect(shown('02-27T10:00:00', '02-27T20:00:00')).toEqual([])
  expect(shown('02-27T23:59:58', '02-28T00:00:01')).toEqual(['02-27T23:59:59'])
  expect(shown('02-27T23:59:59', '02-28T00:00:01')).toEqual([])
  expect(shown('02-27T10:00:00', '02-27T23:59:59')).toEqual([])
  expect(dayEnds(at('01-01T00:00:00'), new Date('2027-01-01T00:00:00Z'))).toHaveLength(365)
})

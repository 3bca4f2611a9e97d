import { expect, test } from 'vitest'
import { placesOf, roomFor } from './places.ts'

test.each([
  ['150000.00', 2],
  ['25028.302769', 6],
  ['-80.201428', 6],
  ['0.000000000000000001', 6],
  ['7', 0],
  [null, 0],
])('%s has %i decimals to align', (amount, places) => {
  expect(placesOf(amount)).toBe(places)
})

test('amounts of one column get the room of the decimals that they lack', () => {
  expect(roomFor(6, '150000.00')).toHaveLength(4)
  expect(roomFor(6, '25028.302769')).toBe('')
  expect(roomFor(2, '25028.302769')).toBe('')
})

import { expect, test } from 'vitest'
import { integerFrom, safeIntegerFrom, timeFrom } from './integer-from.ts'

test('quantities, decimal amounts and JSON numbers are read up to 256 bits', () => {
  expect(integerFrom('value', '0x0')).toBe(0n)
  expect(integerFrom('value', '0xFf')).toBe(255n)
  expect(integerFrom('value', `0x${'f'.repeat(64)}`)).toBe(2n ** 256n - 1n)
  expect(integerFrom('value', '18446744073709551615')).toBe(2n ** 64n - 1n)
  // The lamports of the richest accounts are larger than what a number holds exactly.
  expect(integerFrom('value', 5e17)).toBe(500_000_000_000_000_000n)
  expect(timeFrom('timestamp', '0x6553f100')).toEqual(new Date('2023-11-14T22:13:20Z'))
})

const HOSTILE: [string, unknown][] = [
  ['a quantity of 65 digits', `0x1${'0'.repeat(64)}`],
  ['a decimal of 79 digits', '1'.repeat(79)],
  ['a MiB of digits', 'f'.repeat(1_048_576)],
  ['nothing', undefined],
  ['null', null],
  ['no digits', '0x'],
  ['empty text', ''],
  ['a word', 'latest'],
  ['a sign', '-1'],
  ['a negative number', -1],
  ['a fraction', 1.5],
  ['infinity', Number.POSITIVE_INFINITY],
  ['a number beyond 64 bits', 1e30],
  ['an object', { valueOf: '1' }],
  ['a list', ['0x1']],
  ['a flag', true],
]

test.each(HOSTILE)('%s makes the chain unavailable', (_, value) => {
  for (const read of [integerFrom, safeIntegerFrom, timeFrom])
    expect(() => read('value', value)).toThrow(expect.objectContaining({ code: 'CHAIN_UNAVAILABLE' }))
})

test('a block number that is no exact number, and a time after the last one, make the chain unavailable', () => {
  expect(() => safeIntegerFrom('number', '0x20000000000000')).toThrow(
    expect.objectContaining({ code: 'CHAIN_UNAVAILABLE' }),
  )
  expect(safeIntegerFrom('number', '0x1fffffffffffff')).toBe(Number.MAX_SAFE_INTEGER)
  expect(() => timeFrom('timestamp', '0x1fffffffffffff')).toThrow(
    expect.objectContaining({ code: 'CHAIN_UNAVAILABLE' }),
  )
})

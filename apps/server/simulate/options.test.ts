import { expect, test } from 'vitest'
import { readOptions } from './options.ts'

test('without arguments, 1,000 seeds of 200 steps run on the chains of their seeds', () => {
  const usual = {
    first: 1,
    count: 1_000,
    steps: 200,
    chain: undefined,
    log: false,
    broken: false,
    shortestOf: undefined,
  }
  expect(readOptions([])).toEqual(usual)
  expect(readOptions(['--seed', '7', '--log', '--chain', 'solana'])).toEqual({
    ...usual,
    first: 7,
    count: 1,
    log: true,
    chain: 'solana',
  })
})

test('the seeds of broken rules are the first that notice, or the shortest of so many', () => {
  expect(readOptions(['--broken'])).toMatchObject({ broken: true, shortestOf: undefined })
  expect(readOptions(['--broken', '--seeds', '20'])).toMatchObject({ broken: true, shortestOf: 20 })
  expect(readOptions(['--seeds', '20'])).toMatchObject({ count: 20, shortestOf: undefined })
})

test.each([
  [['--nonsense'], "Unknown option '--nonsense'"],
  [['nonsense'], "Unexpected argument 'nonsense'"],
  [['--chain', 'moon'], '--chain is one of evm, solana'],
  [['--seeds', 'many'], '--seeds is a whole number, and not many'],
  [['--seed=-1'], '--seed is a whole number, and not -1'],
  [['--steps', ''], '--steps is a whole number'],
])('%j is rejected in one line', (args, words) => {
  expect(() => readOptions(args)).toThrow(words)
  expect(() => readOptions(args)).not.toThrow('\n')
})

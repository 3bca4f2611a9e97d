import { expect, test } from 'vitest'
import { SOLANA_UNSETTLED_READINGS_MAX } from '../../../kernel/index.ts'
import { createKeptReadings, type ReadRound } from './kept-readings.ts'

const round = (upTo: number, amounts: Record<string, bigint>): ReadRound => ({
  upTo,
  readings: Object.entries(amounts).map(([account, amount]) => ({ account, slot: upTo + 1, amount })),
})
const amountsOf = ({ readings }: ReadRound) =>
  Object.fromEntries(readings.map(({ account, amount }) => [account, amount]))

test('earlier rounds come after the newest, each with what accounts held at it', () => {
  const kept = createKeptReadings()
  const rounds = (upTo: number, amount: bigint) => [...kept.rounds(['a'], 1, round(upTo, { a: amount }))]
  rounds(5, 1n)
  rounds(10, 2n)
  const found = rounds(15, 3n)
  expect(found.map((one) => [one.upTo, amountsOf(one)])).toEqual([
    [15, { a: 3n }],
    [10, { a: 2n }],
    [5, { a: 1n }],
  ])
})

test('an account that an earlier round did not read has its first later reading there', () => {
  const kept = createKeptReadings()
  const rounds = (newest: ReadRound) => [...kept.rounds(Object.keys(amountsOf(newest)), 1, newest)]
  rounds(round(5, { a: 1n, gone: 1n }))
  rounds(round(10, { a: 2n, b: 7n }))
  const [, , first] = rounds(round(15, { a: 3n, b: 8n, c: 9n }))
  expect([first!.upTo, amountsOf(first!)]).toEqual([5, { a: 1n, b: 7n, c: 9n }])
})

test('rounds that the cursor passed, and those after a head that went back, are forgotten', () => {
  const kept = createKeptReadings()
  const slots = (after: number, upTo: number) =>
    [...kept.rounds(['a'], after, round(upTo, { a: 1n }))].map((one) => one.upTo)
  for (const upTo of [5, 10, 900]) slots(1, upTo)
  expect(slots(5, 20)).toEqual([20, 10])
  expect(slots(5, 20)).toEqual([20, 10])
  expect(slots(20, 25)).toEqual([25])
})

test('the oldest rounds stay, because lists reach them first', () => {
  const kept = createKeptReadings()
  const slots = (after: number, upTo: number) =>
    [...kept.rounds(['a'], after, round(upTo, { a: 1n }))].map((one) => one.upTo)
  for (let upTo = 1; upTo <= SOLANA_UNSETTLED_READINGS_MAX + 5; upTo += 1) slots(0, upTo)
  const found = slots(0, 1_000)
  expect([found.length, found.at(1), found.at(-1)]).toEqual([
    SOLANA_UNSETTLED_READINGS_MAX + 1,
    SOLANA_UNSETTLED_READINGS_MAX,
    1,
  ])
  slots(1, 1_001)
  expect(slots(1, 1_002)).toContain(1_001)
})

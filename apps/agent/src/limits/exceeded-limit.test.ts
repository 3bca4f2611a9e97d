import { liveAllowList } from '@weir/verify'
import { expect, test } from 'vitest'
import { type CountedMove, exceededLimit, type Move, parseLimits, usageOf } from './index.ts'

const NOW = Date.parse('2026-05-05T12:00:00Z')
const HOUR = 3_600_000
const limits = (amounts: readonly unknown[], fees: readonly unknown[] = []) =>
  parseLimits({ version: 1, amounts, fees }, liveAllowList)
const move = (more: Partial<Move> = {}): Move => ({
  blockchain: 'base',
  token: 'USDC',
  venue: 'Fluid USDC',
  wallet: '0xme',
  does: 'supply',
  amount: 40_000_000n,
  fee: 5n,
  ...more,
})
const earlier = (hoursAgo: number | null, more: Partial<Move> = {}): CountedMove => ({
  ...move(more),
  at: hoursAgo === null ? null : NOW - hoursAgo * HOUR,
})
const judged = (rules: ReturnType<typeof limits>, counted: readonly CountedMove[], asked: Partial<Move> = {}) =>
  exceededLimit(rules, move(asked), counted, NOW)

test('moves count for exactly an hour or a day, in windows that roll', () => {
  const rules = limits([{ token: 'USDC', perHour: '100', perDay: '200' }])
  const two = [earlier(0.5), earlier(0.9)]
  expect(judged(rules, two)).toBe(
    'LIMIT_REACHED: 40 USDC would exceed the agent\'s limit "USDC" of 100 USDC per hour; 80 USDC of it is used',
  )
  expect(judged(rules, two, { amount: 20_000_000n })).toBeUndefined()
  expect(judged(rules, [earlier(0.5), earlier(1)])).toBeUndefined()
  const five = [2, 5, 10, 20, 23.99].map((hours) => earlier(hours))
  expect(judged(rules, five)).toContain('200 USDC per day; 200 USDC of it is used')
  expect(judged(rules, [...five.slice(0, 4), earlier(24)])).toBeUndefined()
})

test('a move that can still land counts however old it is, and so does one from the future', () => {
  const rules = limits([{ token: 'USDC', perHour: '50' }])
  expect(judged(rules, [earlier(null)])).toContain('LIMIT_REACHED')
  expect(judged(rules, [earlier(-48)])).toContain('LIMIT_REACHED')
})

test('an approval is checked as the supply that it prepares, and counts for nothing', () => {
  const rules = limits([{ token: 'USDC', does: 'supply', perHour: '50' }])
  expect(judged(rules, [earlier(0.1, { does: 'approve' })])).toBeUndefined()
  expect(judged(rules, [earlier(0.1)], { does: 'approve' })).toContain('LIMIT_REACHED')
  expect(judged(rules, [earlier(0.1)], { does: 'reset-approval', amount: 0n })).toBeUndefined()
})

test('filters select by chain, venue, wallet and direction', () => {
  const cases: readonly [filter: object, other: Partial<Move>][] = [
    [{ blockchain: 'base' }, { blockchain: 'polygon' }],
    [{ venue: 'Fluid USDC' }, { venue: 'Aave V3 USDC' }],
    [{ wallet: '0x52908400098527886E0F7030069857D2E4169EE7' }, { wallet: '0xother' }],
    [{ does: 'supply' }, { does: 'withdraw' }],
  ]
  for (const [filter, other] of cases) {
    const rules = limits([{ token: 'USDC', ...filter, perHour: '50' }])
    const matching = { wallet: '0x52908400098527886E0F7030069857D2E4169EE7' }
    expect(judged(rules, [earlier(0.1, matching)], matching)).toContain('LIMIT_REACHED')
    expect(judged(rules, [earlier(0.1, { ...matching, ...other })], matching)).toBeUndefined()
    expect(judged(rules, [earlier(0.1, matching)], { ...matching, ...other })).toBeUndefined()
  }
  expect(judged(limits([{ token: 'USDT', perHour: '1' }]), [])).toBeUndefined()
})

test('each venue, or each wallet, can have the cap for itself', () => {
  const venue = limits([{ token: 'USDC', each: 'venue', perHour: '50' }])
  expect(judged(venue, [earlier(0.1, { venue: 'Aave V3 USDC' })])).toBeUndefined()
  expect(judged(venue, [earlier(0.1, { blockchain: 'polygon' })])).toBeUndefined()
  expect(judged(venue, [earlier(0.1, { wallet: '0xother' })])).toContain('LIMIT_REACHED')
  const wallet = limits([{ token: 'USDC', each: 'wallet', perHour: '50' }])
  expect(judged(wallet, [earlier(0.1, { wallet: '0xother' })])).toBeUndefined()
  expect(judged(wallet, [earlier(0.1, { venue: 'Aave V3 USDC', blockchain: 'polygon' })])).toContain('LIMIT_REACHED')
})

test('fees of everything on a chain count, approvals included', () => {
  const rules = limits([], [{ blockchain: 'base', perDay: '14' }])
  const spent = [earlier(1, { does: 'approve' }), earlier(2, { does: 'reset-approval', token: 'USDT' })]
  expect(judged(rules, spent)).toBe(
    'FEE_BUDGET_REACHED: a fee of up to 5 base units would exceed the agent\'s limit "fees on base" of 14 per day; 10 of it is used',
  )
  expect(judged(rules, spent, { fee: 4n })).toBeUndefined()
  expect(judged(rules, [earlier(25), earlier(1, { blockchain: 'polygon' })])).toBeUndefined()
})

test('the used part of each cap is that of the most used venue or wallet', () => {
  const rules = limits(
    [{ token: 'USDC', each: 'venue', perHour: '100', perDay: '400' }],
    [{ blockchain: 'base', perDay: '9' }],
  )
  const counted = [earlier(0.1), earlier(2), earlier(3, { venue: 'Aave V3 USDC' }), earlier(4, { does: 'approve' })]
  expect(usageOf(rules, counted, NOW)).toEqual([
    { limit: 'USDC, each venue', window: 'hour', used: 40_000_000n, cap: 100_000_000n },
    { limit: 'USDC, each venue', window: 'day', used: 80_000_000n, cap: 400_000_000n },
    { limit: 'fees on base', window: 'day', used: 20n, cap: 9n },
  ])
})

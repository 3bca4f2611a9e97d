// What is too small to go first. Properties of every plan are in planner-properties.test.ts.
import { describe, expect, test } from 'vitest'
import { DUST, holding, moved, situation } from '../../../testing/rebalancing/planner-situations.ts'
import { USDC } from '../../../testing/units.ts'
import { planMoves } from './planner.ts'
import type { PlannerInput, RebalancePlan } from './rebalance-plan.ts'

describe('what anybody can send a wallet', () => {
  const large = holding(2, 0.08, 500n * USDC)

  test('a whole position that is a crumb of the shortfall comes last, and below dust only if nothing else fills the buffer', () => {
    const sent = [holding(1, 0.01, 2n), holding(3, 0.02, DUST), holding(4, 0.03, USDC - 1n), large]
    expect(moved(planMoves(situation({ buffer: 100n * USDC, holdings: sent })))).toEqual([['UNWIND', 2, 100n * USDC]])
    expect(moved(planMoves(situation({ buffer: 500n * USDC + 2n, holdings: [holding(1, 0.01, 2n), large] })))).toEqual([
      ['UNWIND', 2, null],
      ['UNWIND', 1, null],
    ])
    expect(moved(planMoves(situation({ buffer: 600n * USDC, holdings: sent })))).toEqual([
      ['UNWIND', 2, null],
      ['UNWIND', 4, null],
      ['UNWIND', 3, null],
    ])
    expect(planMoves(situation({ buffer: 600n * USDC, holdings: [holding(1, 0.01, 2n)] })).moves).toEqual([])
  })

  test('neither is requested of a strategy that pays later before what matters, nor dust at all', () => {
    const slow = (...sizes: bigint[]) =>
      sizes.map((value, index) => ({ ...holding(index + 1, 0.05, value, 0n), takesTime: true }))
    expect(moved(planMoves(situation({ buffer: 100n * USDC, holdings: slow(2n, DUST, 500n * USDC) })))).toEqual([
      ['UNWIND', 3, 100n * USDC],
    ])
    expect(moved(planMoves(situation({ buffer: 100n * USDC, holdings: slow(2n, DUST) })))).toEqual([
      ['UNWIND', 2, null],
    ])
  })

  test('what a circuit breaker withdraws goes by size, and never below dust', () => {
    const leaving = [holding(1, 0.05, DUST - 1n), holding(3, 0.05, DUST), large].map((one) => ({
      ...one,
      evacuate: 'a circuit breaker is open',
    }))
    expect(moved(planMoves(situation({ holdings: leaving })))).toEqual([
      ['UNWIND', 2, null],
      ['UNWIND', 3, null],
    ])
  })
})

describe('what a strategy pays bit by bit', () => {
  const bits = (more: Partial<PlannerInput['holdings'][number]>) => ({
    ...holding(1, 0.01, 900n * USDC, DUST),
    ...more,
  })
  const large = holding(2, 0.05, 500n * USDC, 400n * USDC)
  const first = (holdings: PlannerInput['holdings'], more: Partial<PlannerInput> = {}) =>
    planMoves(situation({ holdings, ...more })).moves[0]
  const evacuate = 'a circuit breaker is open'
  const awaited = (awaitedId: number, rest = 900n * USDC) => ({ awaited: { awaitedId, rest, excluded: null } })

  test('gives way to a refill that matters: from a position that is to be left, and of a requested withdrawal', () => {
    const short = { buffer: 100n * USDC }
    for (const more of [{ evacuate }, awaited(7)]) {
      expect(first([bits(more), large], short)).toMatchObject({ strategyId: 2, purpose: 'refill', worth: 100n * USDC })
      expect(first([bits(more), large], { buffer: USDC })).toMatchObject({ strategyId: 1, worth: DUST })
      expect(first([bits(more), large], { ...short, isRefillRejected: true })).toMatchObject({ strategyId: 1 })
      expect(first([bits(more)], short)).toMatchObject({ strategyId: 1, worth: DUST })
    }
  })

  test('gives way to an evacuation or a larger part of another withdrawal, but not where it ends one', () => {
    expect(first([bits(awaited(7)), { ...large, evacuate }])).toMatchObject({ strategyId: 2, purpose: 'evacuation' })
    expect(first([bits(awaited(7)), { ...large, ...awaited(8) }])).toMatchObject({ awaitedId: 8 })
    expect(first([bits(awaited(7, DUST)), { ...large, ...awaited(8) }], { buffer: 100n * USDC })).toMatchObject({
      awaitedId: 7,
    })
  })

  test('is withdrawn by a refill after what matters', () => {
    expect(moved(planMoves(situation({ buffer: 401n * USDC, holdings: [bits({}), large] })))).toEqual([
      ['UNWIND', 2, 400n * USDC],
      ['UNWIND', 1, DUST],
    ])
  })
})

describe('money that was requested back', () => {
  const exit = (claimable: bigint, pending = 0n, excluded: string | null = null) => {
    return { strategyId: 3, name: 'Strategy 3', pending, claimable, excluded }
  }
  const claimed = ({ moves }: RebalancePlan) =>
    moves.map(({ strategyId, purpose, worth }) => [strategyId, purpose, worth])
  const holdings = [holding(1, 0.05, 100n * USDC)]

  test('a crumb, which anybody can request for a wallet, delays neither a buffer nor an evacuation', () => {
    const crumb = [exit(DUST - 1n)]
    expect(moved(planMoves(situation({ buffer: 50n * USDC, holdings, exits: crumb })))).toEqual([
      ['UNWIND', 1, 50n * USDC],
    ])
    const leaving = [{ ...holdings[0]!, evacuate: 'its price fell' }]
    expect(moved(planMoves(situation({ holdings: leaving, exits: crumb })))).toEqual([['UNWIND', 1, null]])
    expect(moved(planMoves(situation({ available: 5n * USDC, exits: crumb })))).toEqual([['SUPPLY', 2, 5n * USDC]])
  })

  test('a crumb of another move gives way to it: a refill, an evacuation or a requested withdrawal', () => {
    const crumb = [exit((USDC * 2n) / 100n)]
    const later = (more: Partial<PlannerInput>) => planMoves(situation({ holdings, exits: crumb, ...more })).moves[0]
    expect(later({ buffer: 50n * USDC })).toMatchObject({ purpose: 'refill', worth: 50n * USDC })
    expect(later({ holdings: [{ ...holdings[0]!, evacuate: 'its price fell' }] })).toMatchObject({
      purpose: 'evacuation',
    })
    const awaited = { awaitedId: 7, rest: 40n * USDC, excluded: null }
    expect(later({ holdings: [{ ...holdings[0]!, awaited }] })).toMatchObject({ purpose: 'requested' })
    expect(later({ buffer: 2n * USDC })).toMatchObject({ purpose: 'claim' })
    expect(later({ available: 50n * USDC })).toMatchObject({ purpose: 'claim' })
    expect(later({ buffer: 50n * USDC, isRefillRejected: true })).toMatchObject({ purpose: 'claim' })
  })

  test('the largest is claimed first', () => {
    const exits = [exit(DUST), { ...exit(5n * USDC), strategyId: 4 }]
    expect(claimed(planMoves(situation({ exits })))).toEqual([
      [4, 'claim', 5n * USDC],
      [3, 'claim', DUST],
    ])
  })

  test('a crumb is claimed when nothing else moves and no part of its exit waits', () => {
    expect(claimed(planMoves(situation({ exits: [exit(1n)] })))).toEqual([[3, 'claim', 1n]])
    expect(claimed(planMoves(situation({ exits: [exit(1n, 1n)] })))).toEqual([])
    expect(claimed(planMoves(situation({ exits: [exit(1n, 0n, 'it is paused')] })))).toEqual([])
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DepositState } from '../../database/index.ts'
import { depositBound } from './allocator.ts'
import type { StrategyPosition } from './payable-positions.ts'
import { planMoves } from './planner.ts'
import type { PlannerInput, RebalancePlan } from './rebalance-plan.ts'

const USDC = 1_000_000n
const FLOOR = 1n * USDC
const DUST = 10_000n

const amounts = fc.bigInt({ min: 0n, max: 10n ** 13n })
const rates = fc.double({ min: -0.05, max: 0.5, noNaN: true })
const excluded = fc.constantFrom(null, null, null, 'it refused a move')
const deposits = fc.record({
  state: fc.constantFrom<DepositState>('open', 'open', 'full', 'frozen', 'paused'),
  room: fc.option(amounts),
})
const situations: fc.Arbitrary<PlannerInput> = fc.record({
  available: amounts,
  buffer: amounts,
  onHold: fc.oneof(fc.constant(0n), amounts),
  enableYield: fc.boolean(),
  options: fc
    .array(
      fc.record({
        apy: rates,
        minDeposit: fc.option(fc.bigInt({ min: 1n, max: 10n * USDC })),
        maxDeposit: fc.option(fc.bigInt({ min: 1n, max: 10n ** 12n })),
        headroom: fc.option(amounts),
        deposits: fc.option(deposits),
        excluded,
        gas: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 100n * USDC })),
      }),
      { maxLength: 5 },
    )
    .map((found) => found.map((one, index) => ({ strategyId: index + 1, name: `Strategy ${index + 1}`, ...one }))),
  holdings: fc
    .array(fc.record({ apy: rates, value: amounts, withdrawable: fc.option(amounts), excluded }), { maxLength: 5 })
    .map((found) => found.map((one, index) => ({ strategyId: index + 1, name: `Strategy ${index + 1}`, ...one }))),
  exits: fc.constant([]),
  floor: fc.constant(FLOOR),
  dust: fc.constant(DUST),
  horizonDays: fc.integer({ min: 1, max: 365 }),
})

/** The same, where people wait for withdrawals of some positions, some are to be left, and some refused an amount. */
const awaiting: fc.Arbitrary<PlannerInput> = fc
  .tuple(
    situations,
    fc.array(
      fc.record({
        awaited: fc.option(fc.record({ rest: fc.oneof(amounts, fc.bigInt({ min: 0n, max: DUST })), excluded }), {
          nil: undefined,
        }),
        evacuate: fc.constantFrom(undefined, undefined, 'a circuit breaker is open'),
        askAtMost: fc.option(amounts, { nil: undefined }),
        takesTime: fc.constantFrom(undefined, undefined, true),
        isUnread: fc.constantFrom(undefined, undefined, undefined, true),
      }),
      { minLength: 5, maxLength: 5 },
    ),
    fc.array(fc.record({ claimable: amounts, pending: amounts, excluded }), { maxLength: 2 }),
  )
  .map(([before, more, exits]) => ({
    ...before,
    holdings: before.holdings.map((one, index) => {
      const { awaited, ...rest } = more[index]!
      return { ...one, ...rest, awaited: awaited && { ...awaited, awaitedId: one.strategyId + 100 } }
    }),
    exits: exits.map((exit, index) => ({ ...exit, strategyId: index + 1, name: `Strategy ${index + 1}` })),
  }))

/** What a position could pay now of what somebody waits for, worked out here without the planner. */
function payableOfAwaited(position: StrategyPosition): bigint {
  const { awaited, value, withdrawable, takesTime, isUnread, askAtMost } = position
  if (!awaited || awaited.excluded !== null || isUnread) return 0n
  // Nothing can be withdrawn at once: all of it can be requested.
  const now = takesTime && !withdrawable ? value : payableOf(position)
  const asked = askAtMost === undefined ? now : [now, askAtMost > DUST ? askAtMost : DUST].reduce(least)
  return [asked, awaited.rest, value].reduce(least)
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** The situation after every move of its plan was carried out exactly. */
function carriedOut(before: PlannerInput, { moves }: RebalancePlan): PlannerInput {
  const change = (strategyId: number) =>
    moves
      .filter((move) => move.strategyId === strategyId)
      .reduce((sum, { type, worth }) => sum + (type === 'SUPPLY' ? worth : -worth), 0n)
  const total = moves.reduce((sum, { type, worth }) => sum + (type === 'SUPPLY' ? -worth : worth), 0n)
  return {
    ...before,
    available: before.available + total,
    options: before.options.map((one) => ({
      ...one,
      headroom: one.headroom === null ? null : one.headroom - change(one.strategyId),
      deposits: one.deposits && {
        ...one.deposits,
        room: one.deposits.room && one.deposits.room - change(one.strategyId),
      },
    })),
    holdings: before.holdings.map((one) => ({
      ...one,
      value: one.value + change(one.strategyId),
      withdrawable: one.withdrawable === null ? null : one.withdrawable + change(one.strategyId),
    })),
  }
}

const payableOf = ({ value, withdrawable }: StrategyPosition) =>
  withdrawable !== null && withdrawable < value ? withdrawable : value

/** The situation after a strategy refused a withdrawal. */
const without = (before: PlannerInput, strategyId: number): PlannerInput => ({
  ...before,
  holdings: before.holdings.map((one) => (one.strategyId === strategyId ? { ...one, excluded: 'it refused' } : one)),
})

describe('in every situation', () => {
  test('a deployment never uses the buffer or held funds', () => {
    fc.assert(
      fc.property(situations, (before) => {
        const found = planMoves(before)
        if (!found.moves.some(({ type }) => type === 'SUPPLY')) return
        expect(carriedOut(before, found).available).toBeGreaterThanOrEqual(before.buffer + before.onHold)
      }),
    )
  })

  test('an unwind withdraws at most the shortfall, the position and what the strategy can pay', () => {
    fc.assert(
      fc.property(situations, (before) => {
        const found = planMoves(before)
        const unwinds = found.moves.filter(({ type }) => type === 'UNWIND')
        if (unwinds.length === 0) return
        expect(carriedOut(before, found).available).toBeLessThanOrEqual(before.buffer)
        for (const { strategyId, worth, amount } of unwinds) {
          const from = before.holdings.find((one) => one.strategyId === strategyId)!
          expect(worth).toBeGreaterThan(0n)
          expect(worth).toBeLessThanOrEqual(from.value)
          if (from.withdrawable !== null) expect(worth).toBeLessThanOrEqual(from.withdrawable)
          expect(from.excluded).toBeNull()
          expect(amount).toBe(worth === from.value ? null : worth)
        }
      }),
    )
  })

  test('the buffer is restored whenever what all strategies can pay now suffices, in whatever order and whatever refuses', () => {
    fc.assert(
      fc.property(situations, fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }), (before, refuses) => {
        // The first move of a plan is carried out, or refused and its strategy left out, until nothing is planned.
        let now = before
        for (let round = 0; round < 20; round += 1) {
          const [move] = planMoves(now).moves.filter(({ type }) => type === 'UNWIND')
          if (!move) break
          if (refuses[move.strategyId - 1]) now = without(now, move.strategyId)
          else now = carriedOut(now, { ...planMoves(now), moves: [move] })
        }
        const payable = now.holdings.reduce((sum, one) => sum + (one.excluded === null ? payableOf(one) : 0n), 0n)
        const missing = now.buffer - now.available
        if (missing < DUST) return
        expect(payable).toBeLessThan(missing)
        expect(planMoves(now).moves.filter(({ type }) => type === 'UNWIND')).toEqual([])
      }),
      { numRuns: 1_000 },
    )
  })

  test('what a plan leaves missing is named: what positions hold and cannot pay now', () => {
    fc.assert(
      fc.property(situations, (before) => {
        const { moves, shortfall, awaited, sources } = planMoves(before)
        if (shortfall < DUST) return
        const paid = moves.reduce((sum, { worth }) => sum + worth, 0n)
        const held = before.holdings.reduce((sum, { value }) => sum + value, 0n)
        expect(paid + awaited).toBe(held < shortfall ? held : shortfall)
        expect(sources.map(({ strategyId }) => strategyId).sort()).toEqual(
          before.holdings.filter(({ value }) => value > 0n).map(({ strategyId }) => strategyId),
        )
      }),
    )
  })

  test('a plan never mixes supplies and unwinds and never names a strategy twice', () => {
    fc.assert(
      fc.property(situations, (before) => {
        const { moves } = planMoves(before)
        expect(new Set(moves.map(({ type }) => type)).size).toBeLessThanOrEqual(1)
        expect(new Set(moves.map(({ strategyId }) => strategyId)).size).toBe(moves.length)
      }),
    )
  })

  test('each part stays within the bounds of its strategy', () => {
    fc.assert(
      fc.property(situations, (before) => {
        for (const { type, strategyId, worth } of planMoves(before).moves) {
          if (type === 'UNWIND') continue
          const to = before.options.find((one) => one.strategyId === strategyId)!
          expect(worth >= (to.minDeposit ?? 0n) && worth >= FLOOR).toBe(true)
          expect(to.maxDeposit === null || worth <= to.maxDeposit).toBe(true)
          expect(to.headroom === null || worth <= to.headroom).toBe(true)
          expect(worth <= (depositBound(to) ?? worth)).toBe(true)
          expect(to.excluded).toBeNull()
        }
      }),
    )
  })

  test('a plan that was carried out leaves nothing to plan, so money never moves in circles', () => {
    fc.assert(
      fc.property(situations, (before) => {
        const first = planMoves(before)
        const types = new Set(first.moves.map(({ type }) => type))
        const second = planMoves(carriedOut(before, first))
        for (const { type } of second.moves) expect(types.size === 0 || types.has(type)).toBe(true)
        if (types.has('UNWIND')) expect(second.moves.filter(({ type }) => type === 'SUPPLY')).toEqual([])
      }),
      { numRuns: 500 },
    )
  })
})

describe('where people wait for withdrawals', () => {
  test('a position is never asked for more than it can pay, or than what is left of the withdrawal', () => {
    fc.assert(
      fc.property(awaiting, (before) => {
        for (const { strategyId, worth, amount, awaitedId, purpose } of planMoves(before).moves) {
          expect(purpose === 'requested').toBe(awaitedId !== undefined)
          if (awaitedId === undefined) continue
          const from = before.holdings.find((one) => one.strategyId === strategyId)!
          expect(awaitedId).toBe(from.awaited!.awaitedId)
          expect(worth).toBeGreaterThan(0n)
          expect(worth).toBeLessThanOrEqual(from.awaited!.rest)
          expect(worth).toBeLessThanOrEqual(payableOfAwaited(from))
          expect(amount).toBe(worth === from.value ? null : worth)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('what can be paid of them is paid before anything but claims, and all of it', () => {
    fc.assert(
      fc.property(awaiting, (before) => {
        const { moves } = planMoves(before)
        if (moves.some(({ purpose }) => purpose === 'claim') && !isCrumbs(before)) return
        const payable = before.holdings.flatMap((one) => {
          const worth = payableOfAwaited(one)
          const isWorthIt = worth >= DUST || worth === least(one.awaited?.rest ?? 0n, one.value)
          return worth > 0n && isWorthIt ? [[one.strategyId, worth]] : []
        })
        if (payable.length === 0) return
        expect(moves.map(({ strategyId, worth }) => [strategyId, worth])).toEqual(payable)
        expect(moves.every(({ purpose }) => purpose === 'requested')).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  test('what cannot be paid of them now is named', () => {
    fc.assert(
      fc.property(awaiting, (before) => {
        const { moves, awaited, notes } = planMoves(before)
        if (moves.some(({ purpose }) => purpose === 'claim') && !isCrumbs(before)) return
        const waiting = before.holdings.reduce((sum, one) => sum + least(one.awaited?.rest ?? 0n, one.value), 0n)
        const payable = before.holdings.reduce((sum, one) => sum + payableOfAwaited(one), 0n)
        expect(awaited).toBeGreaterThanOrEqual(waiting - payable)
        if (waiting > payable) expect(notes.length).toBeGreaterThan(0)
      }),
      { numRuns: 1_000 },
    )
  })

  test('nothing is deposited where a withdrawal waits', () => {
    fc.assert(
      fc.property(awaiting, (before) => {
        for (const { type, strategyId } of planMoves(before).moves) {
          if (type === 'UNWIND') continue
          const to = before.holdings.find((one) => one.strategyId === strategyId)
          expect(to?.awaited && least(to.awaited.rest, to.value)).toBeOneOf([undefined, 0n])
        }
      }),
      { numRuns: 1_000 },
    )
  })

  /** Crumbs of exits are claimed last. */
  const isCrumbs = ({ exits }: PlannerInput) =>
    exits.every(({ claimable, excluded: why }) => claimable < DUST || why !== null)
})

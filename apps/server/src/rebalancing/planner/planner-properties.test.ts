import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { awaiting, DUST, FLOOR, least, situations } from '../../../testing/rebalancing/planner-situations.ts'
import { depositBound } from './allocator.ts'
import type { StrategyPosition } from './payable-positions.ts'
import { planMoves } from './planner.ts'
import type { PlannerInput, RebalancePlan } from './rebalance-plan.ts'

/** What a position could pay now of what somebody waits for, worked out here without the planner. */
function payableOfAwaited(position: StrategyPosition): bigint {
  const { awaited, value, withdrawable, takesTime, isUnread, askAtMost } = position
  if (!awaited || awaited.excluded !== null || isUnread) return 0n
  // Nothing can be withdrawn at once: all of it can be requested.
  const now = takesTime && !withdrawable ? value : payableOf(position)
  const asked = askAtMost === undefined ? now : [now, askAtMost > DUST ? askAtMost : DUST].reduce(least)
  return [asked, awaited.rest, value].reduce(least)
}

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

  test('what can be paid of them is paid before anything but claims and what a crumb gives way to, and all of it', () => {
    fc.assert(
      fc.property(awaiting, (before) => {
        const { moves } = planMoves(before)
        if (moves.some(({ purpose }) => purpose === 'claim') && !isCrumbs(before)) return
        const payable = before.holdings.flatMap((one) => {
          const worth = payableOfAwaited(one)
          const isEnd = worth === least(one.awaited?.rest ?? 0n, one.value)
          return worth > 0n && (worth >= DUST || isEnd) ? [{ strategyId: one.strategyId, worth, isEnd }] : []
        })
        if (payable.length === 0) return
        if (moves[0]!.purpose !== 'requested') {
          expect(payable.every(({ worth, isEnd }) => !isEnd && moves.some((other) => worth * 100n < other.worth))).toBe(
            true,
          )
          return
        }
        const found = moves.map(({ strategyId, worth }) => ({ strategyId, worth }))
        expect(found).toHaveLength(payable.length)
        expect(found).toEqual(expect.arrayContaining(payable.map(({ isEnd, ...one }) => one)))
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

  test('crumbs that anybody can send or request for a wallet are not moved before what matters', () => {
    fc.assert(
      fc.property(awaiting, (before) => {
        const [first] = planMoves(before).moves
        const from = before.holdings.find(({ strategyId }) => strategyId === first?.strategyId)
        // A request is smaller by what can be claimed.
        if (first?.type !== 'UNWIND' || (from?.takesTime && !from.withdrawable)) return
        const sent = { strategyId: 9, name: 'Sent', excluded: null }
        const crumb = first.worth / 200n
        const [next] = planMoves({
          ...before,
          holdings: [
            { ...sent, apy: -1, value: crumb, withdrawable: null, evacuate: 'it is off its peg' },
            ...before.holdings,
          ],
          exits: [{ ...sent, pending: 0n, claimable: crumb }, ...before.exits],
        }).moves
        expect(next).toMatchObject({ strategyId: first.strategyId, purpose: first.purpose, worth: first.worth })
      }),
      { numRuns: 1_000 },
    )
  })

  test('less than dust is moved only if nothing else is left to withdraw or to deposit, or fills the buffer', () => {
    fc.assert(
      fc.property(awaiting, fc.bigInt({ min: 1n, max: 2n * DUST }), (found, small) => {
        const [one, ...others] = found.holdings
        const exits = found.exits.map((exit) => ({ ...exit, claimable: least(exit.claimable, small) }))
        const holdings = one ? [{ ...one, value: small }, ...others] : []
        const before = { ...found, holdings, exits }
        const { moves, shortfall } = planMoves(before)
        const [first] = moves
        if (first === undefined || first.worth >= DUST || first.purpose === 'requested') return
        expect(moves.every(({ worth }) => worth < DUST)).toBe(true)
        const unclaimed = exits.map((exit) => ({ ...exit, claimable: 0n, pending: exit.pending + exit.claimable }))
        if (first.purpose === 'claim') expect(planMoves({ ...before, exits: unclaimed }).moves).toEqual([])
        else expect([first.purpose, moves.reduce((sum, { worth }) => sum + worth, 0n)]).toEqual(['refill', shortfall])
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

// Crumbs are in planner-crumbs.test.ts; properties of every plan in planner-properties.test.ts.
import { describe, expect, test } from 'vitest'
import { DUST, FLOOR, holding, moved, option, situation } from '../../../testing/rebalancing/planner-situations.ts'
import { USDC } from '../../../testing/units.ts'
import type { StrategyOption } from './allocator.ts'
import type { StrategyPosition } from './payable-positions.ts'
import { planMoves } from './planner.ts'
import type { RebalancePlan } from './rebalance-plan.ts'

describe('above the buffer', () => {
  test('the excess goes to the strategy that earns most', () => {
    expect(moved(planMoves(situation({ available: 150n * USDC, buffer: 100n * USDC })))).toEqual([
      ['SUPPLY', 2, 50n * USDC],
    ])
  })

  test('nothing moves while yield is off, below the minimum size, or after an explicit withdrawal', () => {
    const above = { available: 150n * USDC, buffer: 100n * USDC }
    expect(planMoves(situation({ ...above, enableYield: false })).moves).toEqual([])
    expect(planMoves(situation({ ...above, buffer: above.available - FLOOR + 1n })).moves).toEqual([])
    expect(planMoves(situation({ ...above, onHold: 50n * USDC })).moves).toEqual([])
    expect(moved(planMoves(situation({ ...above, onHold: 20n * USDC })))).toEqual([['SUPPLY', 2, 30n * USDC]])
  })

  test('it is split where a bound or a cap applies, and the rest stays', () => {
    const options = [option(1, 0.05, { headroom: 20n * USDC }), option(2, 0.08, { maxDeposit: 60n * USDC })]
    const found = planMoves(situation({ available: 100n * USDC, options }))
    expect(moved(found)).toEqual([
      ['SUPPLY', 2, 60n * USDC],
      ['SUPPLY', 1, 20n * USDC],
    ])
    expect(found.notes).toEqual(['No strategy accepts the rest.'])
  })

  test('only the strategy that earns most is said to; another one takes what that one does not', () => {
    const reasonsOf = (options: StrategyOption[]) =>
      planMoves(situation({ available: 100n * USDC, options })).moves.map(({ why }) => why)
    const most = 'The amount is above the buffer, and Strategy 2 earns the most after gas.'
    const next = 'The amount is above the buffer, and Strategy 1 earns the most after gas of those that take it.'
    expect(reasonsOf([option(1, 0.05), option(2, 0.08)])).toEqual([most])
    expect(reasonsOf([option(1, 0.05), option(2, 0.08, { maxDeposit: 60n * USDC })])).toEqual([most, next])
    expect(reasonsOf([option(1, 0.05), option(2, 0.08, { excluded: 'it refused a move' })])).toEqual([next])
  })

  test('gas decides between strategies, and a deployment that earns less than its gas is skipped', () => {
    const options = [option(1, 0.05), option(2, 0.08, { gas: 2n * USDC })]
    expect(moved(planMoves(situation({ available: 100n * USDC, options })))).toEqual([['SUPPLY', 1, 100n * USDC]])
    expect(moved(planMoves(situation({ available: 100_000n * USDC, options })))).toEqual([
      ['SUPPLY', 2, 100_000n * USDC],
    ])
    const dear = [option(1, 0.05, { gas: USDC })]
    expect(planMoves(situation({ available: 100n * USDC, options: dear })).moves).toEqual([])
  })
})

describe('below the buffer', () => {
  test('the shortfall comes from the strategy that earns least, then from the next', () => {
    const holdings = [holding(1, 0.05, 30n * USDC), holding(2, 0.08, 500n * USDC)]
    expect(moved(planMoves(situation({ available: 20n * USDC, buffer: 40n * USDC, holdings })))).toEqual([
      ['UNWIND', 1, 20n * USDC],
    ])
    expect(moved(planMoves(situation({ available: 20n * USDC, buffer: 100n * USDC, holdings })))).toEqual([
      ['UNWIND', 1, null],
      ['UNWIND', 2, 50n * USDC],
    ])
  })

  test('each part of a refill has its own true reason', () => {
    const reasons = (...[input]: Parameters<typeof situation>) =>
      planMoves(situation(input)).moves.map(({ strategyId, why }) => [strategyId, why])
    const holdings = [holding(1, 0.05, 30n * USDC), holding(2, 0.08, 40n * USDC), holding(3, 0.09, 500n * USDC)]
    const beyond = 'The buffer needs it beyond what strategies that earn no more can pay now.'
    expect(reasons({ buffer: 100n * USDC, holdings })).toEqual([
      [1, 'The buffer needs it, and this strategy earns the least of those that can pay now.'],
      [2, beyond],
      [3, beyond],
    ])
    const small = [holding(1, 0.05, 500n * USDC, DUST - 1n), ...holdings.slice(1)]
    expect(reasons({ buffer: 100n * USDC, holdings: small })).toEqual([
      [2, 'The buffer needs it, and this strategy earns the least of those that can pay now, small amounts aside.'],
      [3, 'The buffer needs it beyond what strategies that earn no more can pay now, small amounts aside.'],
    ])
    const last = [holding(1, 0.05, 500n * USDC, DUST - 1n), holding(2, 0.08, 500n * USDC, 20n * USDC)]
    expect(reasons({ buffer: 20n * USDC + DUST - 1n, holdings: last })).toEqual([
      [2, 'The buffer needs it, and this strategy earns the least of those that can pay now, small amounts aside.'],
      [1, 'The buffer needs it, and cannot be filled without small amounts.'],
    ])
  })

  test('what a strategy cannot pay out now comes from the next one', () => {
    const holdings = [holding(1, 0.05, 30n * USDC, 5n * USDC), holding(2, 0.08, 500n * USDC, null)]
    expect(moved(planMoves(situation({ buffer: 40n * USDC, holdings })))).toEqual([
      ['UNWIND', 1, 5n * USDC],
      ['UNWIND', 2, 35n * USDC],
    ])
  })

  test('a shortfall below the dust limit is ignored, and the buffer is refilled even while yield is off', () => {
    const holdings = [holding(1, 0.05, 30n * USDC)]
    expect(planMoves(situation({ available: 10n * USDC - DUST + 1n, buffer: 10n * USDC, holdings })).moves).toEqual([])
    const off = situation({ available: 10n * USDC - DUST, buffer: 10n * USDC, holdings, enableYield: false })
    expect(moved(planMoves(off))).toEqual([['UNWIND', 1, DUST]])
  })

  test('small amounts that become liquid in a strategy are not withdrawn one by one', () => {
    const holdings = [holding(1, 0.05, 500n * USDC, DUST - 1n), holding(2, 0.08, 500n * USDC, 20n * USDC)]
    const short = situation({ buffer: 100n * USDC, holdings })
    expect(moved(planMoves(short))).toEqual([['UNWIND', 2, 20n * USDC]])
    // Unless the buffer cannot be filled without them.
    expect(moved(planMoves({ ...short, available: 80n * USDC - DUST + 1n }))).toEqual([
      ['UNWIND', 2, 20n * USDC],
      ['UNWIND', 1, DUST - 1n],
    ])
    const [only] = holdings
    expect(planMoves({ ...short, holdings: [only!] })).toMatchObject({
      moves: [],
      notes: [expect.stringContaining('only part'), expect.stringContaining('do not fill the buffer')],
    })
  })
})

describe('a position with an open circuit breaker that is to be withdrawn', () => {
  const leaving = (value: bigint, withdrawable: bigint | null = null): StrategyPosition => ({
    ...holding(1, 0.05, value, withdrawable),
    evacuate: 'a circuit breaker is open',
  })

  test('is withdrawn whole before anything else, also from a full buffer', () => {
    const others = [leaving(40n * USDC), holding(2, 0.01, 10n * USDC)]
    const found = planMoves(situation({ available: 50n * USDC, buffer: 10n * USDC, holdings: others }))
    expect(found.moves).toMatchObject([{ type: 'UNWIND', strategyId: 1, amount: null, worth: 40n * USDC }])
    expect(found.moves[0]!.why).toContain('a circuit breaker is open')
  })

  test('is withdrawn as far as it can pay, and the rest is awaited', () => {
    const found = planMoves(
      situation({ available: 10n * USDC, buffer: 10n * USDC, holdings: [leaving(40n * USDC, 15n * USDC)] }),
    )
    expect(found).toMatchObject({ moves: [{ amount: 15n * USDC }], awaited: 25n * USDC })
  })

  test('that can pay nothing delays neither a refill nor a deployment', () => {
    const stuck = leaving(40n * USDC, 0n)
    const refill = planMoves(situation({ buffer: 5n * USDC, holdings: [stuck, holding(2, 0.01, 10n * USDC)] }))
    expect(refill.moves).toMatchObject([{ type: 'UNWIND', strategyId: 2, worth: 5n * USDC }])
    expect(refill.awaited).toBe(40n * USDC)
    const deployment = planMoves(situation({ available: 20n * USDC, options: [option(3, 0.05)], holdings: [stuck] }))
    expect(deployment.moves).toMatchObject([{ type: 'SUPPLY', strategyId: 3, worth: 20n * USDC }])
    expect(deployment.notes).toContain('Strategy 1 can pay out nothing now.')
  })
})

describe('a position that somebody requested a withdrawal of', () => {
  const awaiting = (rest: bigint, withdrawable: bigint | null = null, more: Partial<StrategyPosition> = {}) => ({
    ...holding(1, 0.05, 100n * USDC, withdrawable),
    awaited: { awaitedId: 7, rest, excluded: null },
    ...more,
  })
  const planned = (position: StrategyPosition) =>
    planMoves(situation({ available: 10n * USDC, buffer: 10n * USDC, holdings: [position] }))

  test('pays what is left of it, as far as it can pay, from a full buffer', () => {
    expect(planned(awaiting(40n * USDC)).moves).toMatchObject([{ awaitedId: 7, amount: 40n * USDC }])
    expect(planned(awaiting(100n * USDC)).moves).toMatchObject([{ awaitedId: 7, amount: null }])
    const part = planned(awaiting(40n * USDC, 15n * USDC))
    expect(part).toMatchObject({ moves: [{ awaitedId: 7, amount: 15n * USDC }], awaited: 25n * USDC })
    expect(planned(awaiting(0n)).moves).toEqual([])
  })

  test('pays it while the rebalancer’s own withdrawals of the position pause, but not what it refuses', () => {
    const excluded = 'such moves pause'
    const awaited = { awaitedId: 7, rest: 40n * USDC, excluded: null }
    expect(planned(awaiting(0n, null, { excluded, awaited })).moves).toMatchObject([{ amount: 40n * USDC }])
    expect(planned(awaiting(0n, null, { awaited: { ...awaited, excluded: 'it refused' } }))).toMatchObject({
      moves: [],
      awaited: 40n * USDC,
      notes: expect.arrayContaining(['Strategy 1: it refused.']),
    })
    expect(planned(awaiting(40n * USDC, null, { askAtMost: 15n * USDC }))).toMatchObject({
      moves: [{ awaitedId: 7, amount: 15n * USDC }],
      awaited: 25n * USDC,
    })
  })

  test('pays no dust, unless that is all that is left', () => {
    expect(planned(awaiting(40n * USDC, DUST - 1n))).toMatchObject({ moves: [], awaited: 40n * USDC - DUST + 1n })
    expect(planned(awaiting(DUST - 1n)).moves).toMatchObject([{ amount: DUST - 1n }])
  })

  test('pays it before Weir evacuates the rest of it, in a move of its own', () => {
    const evacuate = 'a circuit breaker is open'
    expect(planned(awaiting(40n * USDC, null, { evacuate })).moves).toMatchObject([
      { awaitedId: 7, amount: 40n * USDC },
    ])
    const [own] = planned(awaiting(0n, null, { evacuate })).moves
    expect(own).toMatchObject({ amount: null, why: expect.stringContaining(evacuate) })
    expect(own).not.toHaveProperty('awaitedId')
  })
})

describe('money that was requested back', () => {
  const exit = (claimable: bigint, pending = 0n, excluded: string | null = null) => {
    return { strategyId: 3, name: 'Strategy 3', pending, claimable, excluded }
  }
  const claimed = ({ moves }: RebalancePlan) =>
    moves.map(({ strategyId, purpose, worth }) => [strategyId, purpose, worth])
  const holdings = [holding(1, 0.05, 100n * USDC)]

  test('is claimed before anything else', () => {
    const plan = planMoves(situation({ buffer: 50n * USDC, holdings, exits: [exit(USDC, USDC)] }))
    expect(claimed(plan)).toEqual([[3, 'claim', USDC]])
  })
})

describe('while people decide about a claim or an evacuation', () => {
  const leaving = { ...holding(1, 0.01, 800n * USDC), evacuate: 'a circuit breaker is open' }
  const exits = [{ strategyId: 3, name: 'Strategy 3', pending: 0n, claimable: 40n * USDC, excluded: null }]
  const only = (more: Partial<Parameters<typeof situation>[0]>) => planMoves(situation({ isRefillOnly: true, ...more }))

  test('positions that stay refill the buffer, and the whole shortfall counts', () => {
    const found = only({ buffer: 100n * USDC, holdings: [leaving, holding(2, 0.05, 500n * USDC, 30n * USDC)] })
    expect(found.moves).toMatchObject([{ strategyId: 2, purpose: 'refill', worth: 30n * USDC }])
    expect(found.later).toBe(70n * USDC)
  })

  test('nothing else moves: no claim, no evacuation, no deposit, no request, and no refill without a shortfall', () => {
    const slow = { ...holding(2, 0.05, 500n * USDC, 0n), takesTime: true }
    for (const more of [
      { buffer: 100n * USDC, exits },
      { buffer: 100n * USDC, holdings: [leaving] },
      { buffer: 100n * USDC, holdings: [slow] },
      { available: 100n * USDC, holdings: [holding(2, 0.05, 500n * USDC)] },
      { buffer: DUST - 1n, holdings: [holding(2, 0.05, 500n * USDC)] },
    ])
      expect(only(more).moves).toEqual([])
  })
})

describe('what is to follow the moves', () => {
  const refill = { buffer: 100n * USDC }

  test('is what no strategy takes now, unless that is too small to be worth a transaction', () => {
    const deployed = (maxDeposit: bigint) =>
      planMoves(situation({ available: 100n * USDC, options: [option(1, 0.05, { maxDeposit })] })).later
    expect(deployed(40n * USDC)).toBe(60n * USDC)
    expect(deployed(100n * USDC - FLOOR)).toBe(FLOOR)
    expect(deployed(100n * USDC - FLOOR + 1n)).toBe(0n)
  })

  test('is what positions have and cannot pay now, up to the shortfall', () => {
    const later = (...holdings: StrategyPosition[]) => planMoves(situation({ ...refill, holdings })).later
    expect(later(holding(1, 0.05, 500n * USDC, 40n * USDC))).toBe(60n * USDC)
    expect(later(holding(1, 0.05, 70n * USDC, 40n * USDC)), 'all that it has').toBe(30n * USDC)
    expect(later(holding(1, 0.05, 40n * USDC)), 'nothing more').toBe(0n)
    expect(later(holding(1, 0.05, 500n * USDC, 100n * USDC - DUST + 1n)), 'dust').toBe(0n)
    expect(later({ ...holding(1, 0.05, 500n * USDC), askAtMost: 50n * USDC }), 'it refused more').toBe(50n * USDC)
  })

  test('is neither what is requested now, nor what was requested before', () => {
    const slow: StrategyPosition = { ...holding(1, 0.05, 500n * USDC, 0n), takesTime: true }
    expect(planMoves(situation({ ...refill, holdings: [slow] }))).toMatchObject({
      moves: [{ worth: 100n * USDC }],
      later: 0n,
    })
    const exits = [{ strategyId: 1, name: 'Strategy 1', pending: 70n * USDC, claimable: 0n, excluded: null }]
    const holdings = [holding(2, 0.05, 500n * USDC, 20n * USDC)]
    expect(planMoves(situation({ ...refill, exits, holdings })).later).toBe(10n * USDC)
  })

  test('is the rest of a position that is to be withdrawn', () => {
    const leaving = { ...holding(1, 0.05, 500n * USDC, 40n * USDC), evacuate: 'its price fell' }
    expect(planMoves(situation({ holdings: [leaving] })).later).toBe(460n * USDC)
  })
})

// Plans around money that was requested back, in any situation. What a single plan says is in planner.test.ts.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planMoves } from './planner.ts'
import type { PlannerInput, RebalancePlan } from './rebalance-plan.ts'

const DUST = 10_000n
const amounts = fc.bigInt({ min: 0n, max: 10n ** 10n })
const named = <T extends object>(found: readonly T[]) =>
  found.map((one, index) => ({ strategyId: index + 1, name: `Strategy ${index + 1}`, ...one }))

const holding = fc.record({
  apy: fc.double({ min: 0, max: 0.5, noNaN: true }),
  value: amounts,
  withdrawable: fc.constantFrom(null, 0n),
  excluded: fc.constantFrom(null, null, 'it refused a move'),
  takesTime: fc.boolean(),
  restartsWithRequest: fc.boolean(),
  isExitUnread: fc.constantFrom(false, false, false, true),
})
const exit = fc.record({
  pending: fc.oneof(fc.constant(0n), amounts),
  claimable: fc.oneof(fc.constant(0n), fc.constant(0n), fc.bigInt({ min: 1n, max: DUST }), amounts),
  excluded: fc.constantFrom(null, null, 'it refused a move'),
})
const situations: fc.Arbitrary<PlannerInput> = fc.record({
  available: amounts,
  buffer: amounts,
  onHold: fc.constant(0n),
  enableYield: fc.constant(true),
  options: fc.constant([
    {
      strategyId: 9,
      name: 'Strategy 9',
      apy: 0.1,
      minDeposit: null,
      maxDeposit: null,
      headroom: null,
      deposits: null,
      excluded: null,
      gas: 0n,
    },
  ]),
  holdings: fc.array(holding, { maxLength: 4 }).map(named),
  exits: fc.array(exit, { maxLength: 4 }).map(named),
  floor: fc.constant(1_000_000n),
  dust: fc.constant(DUST),
  horizonDays: fc.constant(30),
})

const sumOf = (found: readonly bigint[]) => found.reduce((sum, amount) => sum + amount, 0n)
/** A claim that is left out may never arrive. */
const onItsWay = ({ exits }: PlannerInput) =>
  sumOf(exits.map(({ pending, claimable, excluded }) => pending + (excluded === null ? claimable : 0n)))
/** The moves that request money, which arrives later. */
function requestsOf({ holdings }: PlannerInput, { moves }: RebalancePlan) {
  const slow = new Set(holdings.filter(({ takesTime }) => takesTime).map(({ strategyId }) => strategyId))
  return moves.filter(
    ({ type, purpose, strategyId }) => type === 'UNWIND' && purpose !== 'claim' && slow.has(strategyId),
  )
}

/** The moves that transfer money now. */
function withoutRequests(input: PlannerInput) {
  const plan = planMoves(input)
  const requests = new Set(requestsOf(input, plan))
  return plan.moves.filter((move) => !requests.has(move))
}

test('what is requested, on its way and withdrawn at once is together at most the shortfall', () => {
  fc.assert(
    fc.property(situations, (before) => {
      const found = planMoves(before)
      const requests = requestsOf(before, found)
      if (requests.length === 0) return
      expect(sumOf(found.moves.map(({ worth }) => worth)) + onItsWay(before)).toBeLessThanOrEqual(found.shortfall)
    }),
  )
})

/** One strategy with a cooldown that pays nothing at once, and what was requested back from it. */
function coolingDown({ claimable, excluded }: { readonly claimable: bigint; readonly excluded: string | null }) {
  const cooling = { apy: 0.05, value: 20_000n * DUST, withdrawable: 0n, excluded: null }
  const situation: PlannerInput = {
    available: 0n,
    buffer: 10_000n * DUST,
    onHold: 0n,
    enableYield: true,
    options: [],
    holdings: named([{ ...cooling, takesTime: true, restartsWithRequest: true }]),
    exits: named([{ pending: 0n, claimable, excluded }]),
    floor: 1_000_000n,
    dust: DUST,
    horizonDays: 30,
  }
  const evacuate = 'a circuit breaker is open'
  return [situation, { ...situation, holdings: situation.holdings.map((one) => ({ ...one, evacuate })) }] as const
}

test('no request restarts a cooldown that is over, while the claim of its money is left out', () => {
  for (const situation of coolingDown({ claimable: 4_000n * DUST, excluded: 'its claim was rejected' })) {
    expect(planMoves(situation)).toMatchObject({ moves: [], notes: expect.arrayContaining([expect.any(String)]) })
    expect(planMoves({ ...situation, exits: [] }).moves).toHaveLength(1)
  }
})

test('a claim that is left out keeps nothing from being requested of other strategies', () => {
  const [situation] = coolingDown({ claimable: 10_000n * DUST, excluded: 'its claim was rejected' })
  const queue = { ...situation.holdings[0]!, strategyId: 2, name: 'Strategy 2', restartsWithRequest: false }
  const both = { ...situation, holdings: [...situation.holdings, queue] }
  expect(planMoves(both).moves).toMatchObject([{ strategyId: 2, worth: 10_000n * DUST }])
  const [claimable] = coolingDown({ claimable: 10_000n * DUST, excluded: null })
  expect(planMoves({ ...both, exits: claimable.exits }).moves).toMatchObject([{ purpose: 'claim' }])
  const pending = claimable.exits.map((one) => ({ ...one, pending: one.claimable, claimable: 0n }))
  expect(planMoves({ ...both, exits: pending }).moves).toEqual([])
})

test('a crumb whose cooldown is over is claimed before the next request, and blocks none if its claim is left out', () => {
  for (const situation of coolingDown({ claimable: DUST - 1n, excluded: null }))
    expect(planMoves(situation).moves).toMatchObject([{ purpose: 'claim', worth: DUST - 1n }])
  for (const situation of coolingDown({ claimable: DUST - 1n, excluded: 'its claim was rejected' }))
    expect(planMoves(situation).moves).toMatchObject([{ purpose: expect.stringMatching(/refill|evacuation/) }])
})

test('nothing is requested that would delay waiting requests, or while those are unknown', () => {
  fc.assert(
    fc.property(situations, fc.boolean(), (found, evacuates) => {
      const why = evacuates ? { evacuate: 'a circuit breaker is open' } : {}
      const before = { ...found, holdings: found.holdings.map((one) => ({ ...one, ...why })) }
      for (const { strategyId, worth } of requestsOf(before, planMoves(before))) {
        const from = before.holdings.find((one) => one.strategyId === strategyId)!
        const own = before.exits.find((one) => one.strategyId === strategyId)
        const unclaimed = own ? own.pending + own.claimable : 0n
        // A crumb whose claim is left out would otherwise block requests until somebody claims it.
        const isLeftCrumb = own?.pending === 0n && unclaimed < DUST && own.excluded !== null
        expect(from.restartsWithRequest && unclaimed > 0n && !isLeftCrumb).toBe(false)
        expect(from.isExitUnread).toBe(false)
        expect(worth).toBeLessThanOrEqual(from.value)
      }
    }),
    { numRuns: 1_000 },
  )
})

test('money on its way is neither deployed nor withdrawn: such moves are the same without it', () => {
  fc.assert(
    fc.property(situations, (found) => {
      const before = { ...found, exits: found.exits.map((one) => ({ ...one, claimable: 0n })) }
      expect(withoutRequests(before)).toEqual(withoutRequests({ ...before, exits: [] }))
    }),
  )
})

test('a claim takes only what can be claimed, and only where claims are not refused', () => {
  fc.assert(
    fc.property(situations, (before) => {
      for (const { purpose, strategyId, worth } of planMoves(before).moves) {
        if (purpose !== 'claim') continue
        const from = before.exits.find((one) => one.strategyId === strategyId)!
        expect(worth).toBe(from.claimable)
        expect(from.excluded).toBeNull()
      }
    }),
  )
})

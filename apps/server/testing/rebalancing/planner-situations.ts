import fc from 'fast-check'
import type { DepositState } from '../../src/database/index.ts'
import type { StrategyOption } from '../../src/rebalancing/planner/allocator.ts'
import type { StrategyPosition } from '../../src/rebalancing/planner/payable-positions.ts'
import type { PlannerInput, RebalancePlan } from '../../src/rebalancing/planner/rebalance-plan.ts'
import { USDC } from '../units.ts'

/** What the planner is given in its tests. Amounts in base units of USDC. */
export const FLOOR = 1n * USDC
export const DUST = 10_000n

export const option = (strategyId: number, apy: number, more: Partial<StrategyOption> = {}): StrategyOption => ({
  strategyId,
  name: `Strategy ${strategyId}`,
  apy,
  minDeposit: USDC,
  maxDeposit: null,
  deposits: null,
  excluded: null,
  headroom: null,
  gas: 0n,
  ...more,
})

export const holding = (
  strategyId: number,
  apy: number,
  value: bigint,
  withdrawable: bigint | null = null,
): StrategyPosition => ({
  strategyId,
  name: `Strategy ${strategyId}`,
  apy,
  value,
  withdrawable,
  excluded: null,
})

export const situation = (more: Partial<PlannerInput>): PlannerInput => ({
  available: 0n,
  buffer: 0n,
  onHold: 0n,
  enableYield: true,
  exits: [],
  options: [option(1, 0.05), option(2, 0.08)],
  holdings: [],
  floor: FLOOR,
  dust: DUST,
  horizonDays: 30,
  ...more,
})

export const moved = ({ moves }: RebalancePlan) =>
  moves.map(({ type, strategyId, amount }) => [type, strategyId, amount])

const amounts = fc.bigInt({ min: 0n, max: 10n ** 13n })
const rates = fc.double({ min: -0.05, max: 0.5, noNaN: true })
const excluded = fc.constantFrom(null, null, null, 'it refused a move')
const deposits = fc.record({
  state: fc.constantFrom<DepositState>('open', 'open', 'full', 'frozen', 'paused'),
  room: fc.option(amounts),
})
export const situations: fc.Arbitrary<PlannerInput> = fc.record({
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
export const awaiting: fc.Arbitrary<PlannerInput> = fc
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

export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

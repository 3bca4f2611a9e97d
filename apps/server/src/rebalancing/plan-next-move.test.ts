// Also tested elsewhere: with real venues, agents and people (unkind-venues.test.ts, agent-refusals.test.ts,
// rejected-moves.test.ts), and by the simulation.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pastMove } from '../../testing/rebalancing/past-move.ts'
import {
  addMilliseconds,
  type ErrorCode,
  Failure,
  maxAmount,
  minAmount,
  PAST_MOVES_MAX,
  PAST_MOVES_OF_STRATEGY_MAX,
} from '../kernel/index.ts'
import type { Strategy } from '../venues/index.ts'
import type { OperationalWallet } from '../wallets/index.ts'
import type { WalletReadings } from './choose-move.ts'
import { inARow } from './choose-move.ts'
import { backoffMs } from './exclusions/backoff.ts'
import { planNextMove } from './plan-next-move.ts'
import { kindOf, type PlannedMove } from './planner/plan-claims.ts'
import type { RebalanceSettings } from './settings.ts'
import type { PastMove, RefusedMove } from './state/read-wallet-states.ts'

const USDC = 1_000_000n
const DUST = 10_000n
const START = new Date('2026-06-01T00:00:00Z')
/** Enough for the longest pauses: everything that can happen has happened by then. */
const ROUNDS_MAX = 2_000
const SETTINGS: RebalanceSettings = {
  floor: { digits: 1n, scale: 0 },
  dust: { digits: 1n, scale: 2 },
  horizonDays: 30,
  withdrawHoldMs: 0,
  nativeUsd: {},
}

/** What becomes of every withdrawal from a venue, of every deposit there, and of every claim. */
const fates = fc.constantFrom('pays', 'pays', 'simulation', 'gas', 'agent', 'reverts', 'aborts', 'rejected')
type Fate = typeof fates extends fc.Arbitrary<infer T> ? T : never

const amounts = fc.bigInt({ min: 0n, max: 5_000n * USDC })
const venues = fc.array(
  fc.record({
    apy: fc.double({ min: 0, max: 0.2, noNaN: true }),
    value: amounts,
    /** What its market holds. */
    liquidity: fc.oneof(amounts, fc.constant(10_000n * USDC)),
    withdrawal: fates,
    deposit: fates,
    /** The agent refuses withdrawals above this percentage of the first position; `null`: it has no limit. */
    agentPercent: fc.constantFrom(null, null, 30n),
    /** A circuit breaker withdraws all of it; people may reject that. */
    leaves: fc.constantFrom(false, false, true),
    isEvacuationRejected: fc.boolean(),
    claimable: fc.oneof(fc.constant(0n), fc.constant(0n), amounts),
    claim: fates,
    /** How long an operation takes. */
    seconds: fc.constantFrom(1, 40, 1_900),
  }),
  { minLength: 1, maxLength: 6 },
)
const situations = fc.record({ venues, available: amounts, buffer: amounts, enableYield: fc.boolean() })
type Situation = typeof situations extends fc.Arbitrary<infer T> ? T : never
type Venue = Situation['venues'][number]

/** A wallet, its venues, an agent and people, and the loop of evaluations. */
class World {
  now = addMilliseconds(START, 1_000)
  available: bigint
  failures = 0
  lastOutcome: WalletReadings['wallet']['lastOutcome'] = null
  past: PastMove[] = []
  refused: RefusedMove[] = []
  readonly venues: Venue[]
  readonly #settings: Pick<Situation, 'buffer' | 'enableYield'>
  readonly #agentLimits: readonly bigint[]

  constructor({ venues, available, ...settings }: Situation) {
    this.venues = venues.map((venue) => ({ ...venue }))
    this.#agentLimits = venues.map(({ agentPercent, value }) => {
      return agentPercent === null ? 10n ** 12n : maxAmount((agentPercent * value) / 100n, USDC)
    })
    this.available = available
    this.#settings = settings
  }

  readings(): WalletReadings {
    const places = this.venues.map((venue, id) => ({ ...venue, strategyId: id + 1, name: `Venue ${id + 1}` }))
    const strategies = places.map(({ strategyId: id, name, apy }) => {
      const terms = { minDeposit: null, maxDeposit: null, deposits: null, tvl: null }
      return { id, name, apy, tokenDecimals: 6, status: 'active', ...terms } as unknown as Strategy
    })
    const leaving = places.filter(({ leaves }) => leaves)
    return {
      wallet: {
        opWallet: { ...this.#settings, updatedAt: START } as OperationalWallet,
        onHold: 0n,
        refused: this.refused,
        awaited: [],
        pastMoves: this.#pastMoves(),
        policyChangedAt: null,
        failures: this.failures,
        lastOutcome: this.lastOutcome,
      },
      market: { strategies, fingerprint: '', gas: { roundTrip: 0n, accountOpening: 0n } },
      headrooms: new Map(),
      onChain: this.available,
      holdings: places.map(({ strategyId, name, apy, value, liquidity }) => {
        return { strategyId, name, apy, value, withdrawable: minAmount(value, liquidity), excluded: null }
      }),
      exits: places
        .filter(({ claimable }) => claimable > 0n)
        .map(
          ({ strategyId, name, claimable }) => ({ strategyId, name, claimable, pending: 0n, excluded: null }) as never,
        ),
      stopped: new Map(
        leaving.map(({ strategyId }) => [strategyId, { reason: 'upgraded', withdraw: true, since: START }]),
      ),
    }
  }

  /** What the database returns of them. */
  #pastMoves(): PastMove[] {
    const places = Map.groupBy(this.past, (move) => `${kindOf(move)} ${move.strategyId}`)
    return this.past.filter((move) => {
      return places.get(`${kindOf(move)} ${move.strategyId}`)!.indexOf(move) < PAST_MOVES_OF_STRATEGY_MAX
    })
  }

  /** One evaluation, and the operation that it plans. */
  async round(): Promise<void> {
    const found = await planNextMove(this.readings(), SETTINGS, {
      now: this.now,
      plan: async (move) => {
        const code = FAILURES[this.#fateOf(move)]
        return code ? new Failure(code) : move
      },
      recordRefusal: async (refusal) => {
        this.#forget(refusal)
        this.refused.push(refusal)
      },
      deleteRefusal: async (move) => this.#forget({ kind: kindOf(move), strategyId: move.strategyId }),
    })
    if (found.kind === 'planned') {
      this.failures = 0
      this.lastOutcome = 'planned'
      this.#execute(found.move)
    } else if (found.kind === 'waits') {
      this.failures = found.wait.failures
      this.lastOutcome = found.wait.outcome
      // The safety net evaluates wallets that need something once a minute.
      this.now = found.wait.nextDueAt ?? addMilliseconds(this.now, 60_000)
    } else {
      this.failures = inARow(this.readings().wallet, 'refused') + 1
      this.lastOutcome = 'refused'
      this.now = addMilliseconds(this.now, backoffMs(this.failures))
    }
  }

  #forget({ kind, strategyId }: Pick<RefusedMove, 'kind' | 'strategyId'>): void {
    this.refused = this.refused.filter((one) => one.kind !== kind || one.strategyId !== strategyId)
  }

  #fateOf({ type, strategyId, purpose, worth }: PlannedMove): Fate {
    const venue = this.venues[strategyId - 1]!
    if (type === 'SUPPLY') return venue.deposit
    if (purpose === 'claim') return venue.claim
    if (purpose === 'evacuation' && venue.isEvacuationRejected) return 'rejected'
    if (worth > this.#agentLimits[strategyId - 1]!) return 'agent'
    return venue.withdrawal
  }

  #execute(move: PlannedMove): void {
    const { type, strategyId, purpose, worth } = move
    const venue = this.venues[strategyId - 1]!
    const plannedAt = this.now
    this.now = addMilliseconds(this.now, venue.seconds * 1_000)
    const fate = this.#fateOf(move)
    const [state, failureReason] = ENDS[fate]
    const end = {
      state,
      failureReason,
      isReverted: fate === 'reverts',
      hasFailedChecks: fate === 'simulation',
      isUndecided: false,
      plannedAt,
      endedAt: this.now,
    }
    const done = pastMove({ type, strategyId, purpose, amount: worth, catalogueFingerprint: '', ...end })
    this.past = [done, ...this.past].slice(0, PAST_MOVES_MAX)
    if (fate !== 'pays') return
    if (purpose === 'claim') venue.claimable -= worth
    else {
      venue.value += type === 'SUPPLY' ? worth : -worth
      venue.liquidity += type === 'SUPPLY' ? worth : -worth
    }
    this.available += type === 'SUPPLY' ? -worth : worth
  }

  /** What is left to do although nothing but refusals of others could keep it from being done. */
  get undone(): readonly string[] {
    const { buffer, enableYield } = this.#settings
    const { venues } = this
    const willing = venues.filter(({ withdrawal }) => withdrawal === 'pays')
    const payable = willing.reduce((sum, { value, liquidity }) => sum + minAmount(value, liquidity), 0n)
    const [missing, excess] = [buffer - this.available, this.available - buffer]
    const lacksGas = venues.some(({ withdrawal, claim }) => withdrawal === 'gas' || claim === 'gas')
    const takes = !lacksGas && venues.some(({ deposit, leaves }) => deposit === 'pays' && !leaves)
    const leaving = willing.filter(({ leaves, isEvacuationRejected }) => leaves && !isEvacuationRejected)
    return [
      ...(missing >= DUST && payable >= missing
        ? [`the buffer lacks ${missing}, and ${payable} could be withdrawn`]
        : []),
      ...(enableYield && excess >= USDC && takes ? [`${excess} are idle`] : []),
      ...(venues.some(({ claimable, claim }) => claimable > 0n && claim === 'pays')
        ? ['something is not claimed']
        : []),
      ...(leaving.some((one) => minAmount(one.value, one.liquidity) >= DUST) ? ['something is not evacuated'] : []),
    ]
  }
}

const FAILURES: Partial<Record<Fate, ErrorCode>> = { simulation: 'SIMULATION_FAILED', gas: 'INSUFFICIENT_GAS' }

const ENDS = {
  pays: ['COMPLETED', null],
  simulation: ['ABORTED', 'ABORTED'],
  gas: ['ABORTED', 'ABORTED'],
  agent: ['FAILED', 'SUBMISSION'],
  reverts: ['FAILED', 'ONCHAIN'],
  aborts: ['ABORTED', 'ABORTED'],
  rejected: ['REJECTED', 'REJECTED'],
} as const

const LAZY: Venue = {
  apy: 0,
  value: 0n,
  liquidity: 10_000n * USDC,
  withdrawal: 'pays',
  deposit: 'pays',
  agentPercent: null,
  leaves: false,
  isEvacuationRejected: false,
  claimable: 0n,
  claim: 'pays',
  seconds: 1_900,
}
/** Two claims and an evacuation that revert take longer than their pauses: they would always come before the deposit. */
const SLOW_REVERTS: Situation = {
  venues: [
    { ...LAZY, claimable: DUST, claim: 'reverts' },
    { ...LAZY, claimable: DUST, claim: 'reverts' },
    { ...LAZY, value: DUST, withdrawal: 'reverts', leaves: true },
  ],
  available: USDC,
  buffer: 0n,
  enableYield: true,
}
/** Two claims and an evacuation that nobody executes: each is forgotten before its turn returns. */
const SLOW_ABORTS: Situation = {
  venues: [
    { ...LAZY, claimable: 2_606n * USDC, claim: 'aborts' },
    { ...LAZY, value: 2_000n * USDC, leaves: true, claimable: 3_035n * USDC, claim: 'aborts' },
    { ...LAZY, value: 3_414n * USDC, leaves: true, withdrawal: 'aborts' },
  ],
  available: 0n,
  buffer: 0n,
  enableYield: false,
}

test('what willing strategies can do is done after finitely many rounds, whatever others refuse, and for whatever cause', async () => {
  await fc.assert(
    fc.asyncProperty(situations, async (situation) => {
      const world = new World(situation)
      // A person who rejects a refill or a deposit decides for the wallet, not for a strategy.
      for (const venue of world.venues) {
        if (venue.withdrawal === 'rejected') venue.withdrawal = 'agent'
        if (venue.deposit === 'rejected' || venue.deposit === 'aborts') venue.deposit = 'agent'
        // Which strategy takes a deposit matters more than when: it waits for gas.
        if (venue.deposit === 'gas') venue.deposit = 'pays'
      }
      for (let round = 0; round < ROUNDS_MAX && world.undone.length > 0; round += 1) await world.round()
      expect(world.undone).toEqual([])
    }),
    { numRuns: 1_000, examples: [[SLOW_REVERTS], [SLOW_ABORTS]] },
  )
})

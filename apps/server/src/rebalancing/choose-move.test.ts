// Also tested elsewhere: whatever strategies, agents and people refuse (plan-next-move.test.ts), and with real venues
// (unkind-venues.test.ts, rejected-moves.test.ts).
import { describe, expect, test } from 'vitest'
import { pastMove } from '../../testing/rebalancing/past-move.ts'
import type { FailureReason, OperationState } from '../database/index.ts'
import { addMilliseconds, REBALANCE_ILLIQUIDITY_MS } from '../kernel/index.ts'
import type { Strategy } from '../venues/index.ts'
import type { OperationalWallet } from '../wallets/index.ts'
import { chooseMove, type WalletReadings, waitOf } from './choose-move.ts'
import type { RebalanceSettings } from './settings.ts'
import type { PastMove } from './state/read-wallet-states.ts'

const USDC = 1_000_000n
const START = new Date('2026-06-01T00:00:00Z')
const SIX_DECIMALS = { id: 1, tokenDecimals: 6, status: 'active' } as Strategy
const SETTINGS: RebalanceSettings = {
  floor: { digits: 1n, scale: 0 },
  dust: { digits: 1n, scale: 2 },
  horizonDays: 30,
  withdrawHoldMs: 0,
  nativeUsd: {},
}

describe('a withdrawal that somebody waits for', () => {
  const AWAITED = {
    awaitedId: 7,
    strategyId: 1,
    amount: 40n * USDC,
    fetched: 0n,
    requestedBy: { type: 'user', id: 1 },
    requestedAt: START,
    isRejected: false,
    failures: 0,
    lastEndedAt: undefined,
    refused: undefined,
  } as const
  const ended = (purpose: 'claim' | 'refill', state: OperationState, failureReason: FailureReason) =>
    pastMove({
      at: addMilliseconds(START, 1_000),
      type: 'UNWIND',
      purpose,
      state,
      failureReason,
      catalogueFingerprint: '',
    })
  /** A position of 100 USDC whose claim, of 1 USDC, comes first. */
  const chosen = (pastMoves: readonly PastMove[], { liquidity = 100n * USDC, seconds = 2, claimable = USDC } = {}) => {
    const place = { strategyId: 1, name: 'Venue 1', excluded: null }
    const opWallet = { buffer: 10n * USDC, enableYield: false, updatedAt: START } as OperationalWallet
    const readings = {
      wallet: {
        opWallet,
        onHold: 0n,
        refused: [],
        awaited: [AWAITED],
        pastMoves,
        policyChangedAt: null,
        failures: 0,
        lastOutcome: null,
      },
      market: { strategies: [SIX_DECIMALS], fingerprint: '', gas: { roundTrip: 0n, accountOpening: 0n } },
      headrooms: new Map(),
      onChain: 0n,
      holdings: [{ ...place, apy: 0, value: 100n * USDC, withdrawable: liquidity }],
      exits: claimable > 0n ? [{ ...place, claimable, pending: 0n } as never] : [],
      stopped: new Map(),
    }
    const now = addMilliseconds(START, seconds * 1_000)
    const choice = chooseMove(readings, SETTINGS, { now })
    return { ...choice, wait: waitOf(choice, readings.wallet, now), now }
  }

  test('follows a claim, and goes before the buffer', () => {
    expect(chosen([]).move).toMatchObject({ purpose: 'claim' })
    expect(chosen([ended('claim', 'FAILED', 'SUBMISSION')]).move).toMatchObject({
      purpose: 'requested',
      awaitedId: 7,
      amount: 40n * USDC,
    })
  })

  test('does not wait while the rebalancer’s own withdrawals pause, or one of them was rejected', () => {
    const [claim, refill] = (['claim', 'refill'] as const).map((purpose) => ended(purpose, 'FAILED', 'EXPIRED'))
    const paused = chosen([claim!, refill!])
    expect(paused.pauses).toHaveLength(1)
    expect(paused.move).toMatchObject({ awaitedId: 7 })
    const rejected = (['claim', 'refill'] as const).map((purpose) => ended(purpose, 'REJECTED', 'REJECTED'))
    expect(chosen(rejected).move).toMatchObject({ awaitedId: 7 })
  })

  test('gives no other move its turn after the rebalancer’s own failed', () => {
    const [claim, refill] = (['claim', 'refill'] as const).map((purpose) => ended(purpose, 'FAILED', 'ONCHAIN'))
    expect(chosen([refill!, claim!], { seconds: 600 }).move).toMatchObject({ awaitedId: 7, amount: 40n * USDC })
    const { move, input } = chosen([refill!], { seconds: 600, claimable: 0n })
    expect(move).toMatchObject({ awaitedId: 7, amount: 40n * USDC })
    expect(input.holdings).toMatchObject([{ excluded: null }])
  })

  test('is looked at again soon, also while the rebalancer’s own moves pause for longer', () => {
    const paused = chosen([ended('claim', 'FAILED', 'EXPIRED')], { liquidity: 0n })
    expect(paused).toMatchObject({ move: undefined, wait: { outcome: 'paused', failures: 1 } })
    expect(paused.wait.nextDueAt).toEqual(addMilliseconds(paused.now, REBALANCE_ILLIQUIDITY_MS.first))
  })
})

describe('a claim that ended without one', () => {
  /** A position in a vault with a cooldown, of which 4 USDC can be claimed; the buffer lacks more. */
  const chosen = (claim: Partial<PastMove>, stopped: WalletReadings['stopped'] = new Map()) => {
    const place = { strategyId: 1, name: 'Venue 1', excluded: null }
    const opWallet = { buffer: 10n * USDC, enableYield: false, updatedAt: START } as OperationalWallet
    const past = pastMove({
      at: addMilliseconds(START, 500),
      type: 'UNWIND',
      purpose: 'claim',
      state: claim.failureReason === 'ABORTED' ? 'ABORTED' : 'FAILED',
      catalogueFingerprint: '',
      ...claim,
    })
    const wallet = {
      opWallet,
      onHold: 0n,
      refused: [],
      awaited: [],
      pastMoves: [past],
      policyChangedAt: null,
      failures: 0,
      lastOutcome: null,
    }
    const readings = {
      wallet,
      market: { strategies: [SIX_DECIMALS], fingerprint: '', gas: { roundTrip: 0n, accountOpening: 0n } },
      headrooms: new Map(),
      onChain: 0n,
      holdings: [{ ...place, apy: 0, value: 100n * USDC, withdrawable: 0n, takesTime: true }],
      exits: [{ ...place, claimable: 4n * USDC, pending: 0n } as never],
      stopped,
    }
    return chooseMove(readings, SETTINGS, { now: addMilliseconds(START, 60_000) }).move
  }
  const before = addMilliseconds(START, -60_000)

  test('it does not wait for a refill that people rejected, although it is a crumb of it', () => {
    const place = { strategyId: 1, name: 'Venue 1', excluded: null }
    const first = (state: OperationState) => {
      const past = pastMove({
        at: addMilliseconds(START, 500),
        plannedAt: addMilliseconds(START, 100),
        type: 'UNWIND',
        purpose: 'refill',
        state,
        catalogueFingerprint: '',
      })
      const opWallet = { buffer: 90n * USDC, enableYield: false, updatedAt: START } as OperationalWallet
      const wallet = {
        opWallet,
        onHold: 0n,
        refused: [],
        awaited: [],
        pastMoves: [past],
        policyChangedAt: null,
        failures: 0,
        lastOutcome: null,
      }
      const readings = {
        wallet,
        market: { strategies: [SIX_DECIMALS], fingerprint: '', gas: { roundTrip: 0n, accountOpening: 0n } },
        headrooms: new Map(),
        onChain: 0n,
        holdings: [{ ...place, apy: 0, value: 100n * USDC, withdrawable: null }],
        exits: [{ ...place, claimable: USDC / 2n, pending: 0n } as never],
        stopped: new Map(),
      }
      return chooseMove(readings, SETTINGS, { now: addMilliseconds(START, 60_000) }).move?.purpose
    }
    expect(first('COMPLETED')).toBe('refill')
    expect(first('REJECTED')).toBe('claim')
  })

  test('it is planned again after a change of the buffer aborted it, and no request in its place', () => {
    expect(chosen({ plannedAt: before, failureReason: 'ABORTED' })).toMatchObject({ purpose: 'claim' })
  })

  test('one that failed for another reason, or since the change, gives way once', () => {
    expect(chosen({ plannedAt: before, failureReason: 'ONCHAIN' })).toMatchObject({ purpose: 'refill' })
    const since = addMilliseconds(START, 100)
    expect(chosen({ plannedAt: since, failureReason: 'ABORTED' })).toMatchObject({ purpose: 'refill' })
  })

  test('a claim that was rejected is planned again once a breaker opens that withdraws everything', () => {
    const rejected = { plannedAt: addMilliseconds(START, 100), state: 'REJECTED', failureReason: null } as const
    const breaker = (at: number, withdraw = true) =>
      new Map([[1, { reason: 'a circuit breaker is open', withdraw, since: addMilliseconds(START, at) }]])
    expect(chosen(rejected, breaker(1_000))).toMatchObject({ purpose: 'claim' })
    expect(chosen(rejected, breaker(200))?.purpose).not.toBe('claim')
    expect(chosen(rejected, breaker(1_000, false))?.purpose).not.toBe('claim')
  })
})

import type { EvaluationOutcome } from '../database/index.ts'
import { addMilliseconds } from '../kernel/index.ts'
import { illiquidityMs } from './exclusions/backoff.ts'
import {
  alsoExcluding,
  type ExcludedStrategies,
  excludedStrategiesOf,
  type UnaffordableMove,
  withoutUnaffordable,
} from './exclusions/excluded-strategies.ts'
import { type Pause, pausedUntil } from './exclusions/paused-until.ts'
import { isAfterFailure, type RecentlyFailedMove, recentlyFailedMoves } from './exclusions/recently-failed-moves.ts'
import { type MoveContext, type RejectableMove, rejectedUntil } from './exclusions/rejections.ts'
import { withoutAbortsOfOldTurns, withoutOldAborts, withoutReplaced } from './exclusions/strategy-failure.ts'
import { kindOf, type PlannedMove } from './planner/plan-claims.ts'
import { awaitedOf } from './planner/plan-requested.ts'
import { planMoves } from './planner/planner.ts'
import type { PlannerInput, RebalancePlan } from './planner/rebalance-plan.ts'
import type { RebalanceSettings } from './settings.ts'
import { type PlannerReadings, plannerInputOf } from './snapshot/planner-input.ts'
import type { PastMove, WalletState } from './state/read-wallet-states.ts'

/** What an operational wallet and the chain look like to the planner. */
export interface WalletReadings
  extends Omit<PlannerReadings, 'wallet' | 'excluded' | 'rejectedUntil' | 'isRefillRejected'> {
  readonly wallet: Pick<
    WalletState,
    'opWallet' | 'onHold' | 'refused' | 'awaited' | 'pastMoves' | 'policyChangedAt' | 'failures' | 'lastOutcome'
  >
}

interface Choice {
  readonly now: Date
  /** Found since the readings; default: none. */
  readonly unaffordable?: readonly UnaffordableMove[]
}

export interface MoveChoice {
  readonly input: PlannerInput
  readonly plan: RebalancePlan
  /** The move to plan now. */
  readonly move: PlannedMove | undefined
  /** Why moves of the plan are not planned now, the first one's first. */
  readonly pauses: readonly Pause[]
  readonly excluded: ExcludedStrategies
}

/**
 * Chooses the move to plan for a wallet now: the first one of its plan, unless that is paused. Where its kind of move
 * pauses, another kind may continue. A strategy whose last move failed gives way to every other one, so that what refuses, for
 * whatever cause, keeps nothing else from being tried. Neither concerns what somebody requested. Pure.
 */
export function chooseMove(
  { wallet, ...read }: WalletReadings,
  settings: RebalanceSettings,
  { now, unaffordable = [] }: Choice,
): MoveChoice {
  const readings = { ...read, wallet: { ...wallet, pastMoves: withoutOldAborts(wallet.pastMoves, now) } }
  const all = withoutUnaffordable(excludedStrategiesOf(readings.wallet, now), unaffordable)
  const pauses: Pause[] = []
  const turns = withoutReplaced({ ...wallet, pastMoves: withoutAbortsOfOldTurns(wallet.pastMoves, now) })
  const plan = (excluded: ExcludedStrategies) => planFairly(readings, turns, { excluded, settings, now })
  let found = plan(all)
  const first = found
  for (let excluded = all; ; found = plan(excluded)) {
    const [move] = found.plan.moves
    if (!move) return { ...first, move, pauses, excluded: all }
    const paused = isOwn(move) && pausedUntil(readings.wallet, move, moveContextOf(move, readings, now))
    if (!paused) return { ...found, move, pauses, excluded: all }
    pauses.push(paused)
    const reason = `such moves are paused until ${paused.until.toISOString()}`
    excluded = alsoExcluding(excluded, (kind) => kind === kindOf(move), reason)
  }
}

/**
 * A breaker that opened after a rejection is a new reason to withdraw everything, and to claim what would otherwise hold
 * the request for everything up.
 */
function moveContextOf(
  { purpose, strategyId }: RejectableMove,
  { market, stopped }: WalletReadings,
  now: Date,
): MoveContext {
  const stop = strategyId === undefined ? undefined : stopped.get(strategyId)
  const isReason = purpose === 'evacuation' || (purpose === 'claim' && stop?.withdraw)
  return { catalogueFingerprint: market.fingerprint, now, since: isReason ? stop?.since : undefined }
}

/** Of an awaited withdrawal the rebalancer chooses only the time. */
const isOwn = ({ awaitedId }: PlannedMove): boolean => awaitedId === undefined

interface Choosing {
  readonly excluded: ExcludedStrategies
  readonly settings: RebalanceSettings
  readonly now: Date
}

interface Planned {
  readonly input: PlannerInput
  readonly plan: RebalancePlan
}

/**
 * A first move whose strategy failed last time gives way to others of its kind, and right after a failure to any other:
 * with as few of those that failed as possible, longest ago first.
 */
function planFairly(
  readings: WalletReadings,
  turns: readonly PastMove[],
  { excluded, settings, now }: Choosing,
): Planned {
  const planWith = (leftOut: ExcludedStrategies) => planWithout(readings, { excluded: leftOut, settings, now })
  const whole = planWith(excluded)
  const recentlyFailed = recentlyFailedMoves(turns)
  const isRecentlyFailed = (move: PlannedMove) => isOwn(move) && recentlyFailed.some((one) => isSame(one, move))
  const [first] = whole.plan.moves
  if (!first || !isRecentlyFailed(first)) return whole
  const kind = kindOf(first)
  const ofKind = longestAgoFirst(
    recentlyFailed.filter((one) => one.kind === kind),
    (move) => kindOf(move) === kind,
  )
  if (!isAfterFailure(turns) || !isRecentlyFailed(ofKind.plan.moves[0]!)) return ofKind
  return longestAgoFirst(recentlyFailed, () => true)

  function longestAgoFirst(others: readonly RecentlyFailedMove[], isWanted: (move: PlannedMove) => boolean): Planned {
    for (let tried = 0; tried < others.length; tried += 1) {
      const left = others.slice(tried)
      const isLeft: Parameters<typeof alsoExcluding>[1] = (of, strategyId) =>
        left.some((one) => one.kind === of && one.strategyId === strategyId)
      const found = planWith(alsoExcluding(excluded, isLeft, 'its last move failed, so others are tried first'))
      const [move] = found.plan.moves
      if (move && isWanted(move)) return found
    }
    return whole
  }
}

const isSame = ({ kind, strategyId }: RecentlyFailedMove, move: PlannedMove): boolean =>
  kind === kindOf(move) && strategyId === move.strategyId

function planWithout(readings: WalletReadings, { excluded, settings, now }: Choosing): Planned {
  const untilOf = (move: RejectableMove) => rejectedUntil(readings.wallet, move, moveContextOf(move, readings, now))
  const input = plannerInputOf(
    {
      ...readings,
      excluded,
      rejectedUntil: (purpose, strategyId) => untilOf({ purpose, strategyId }),
      isRefillRejected: untilOf({ purpose: 'refill' }) !== undefined,
    },
    settings,
  )
  return { input, plan: planMoves(input) }
}

/** What an evaluation without a move found, and when the wallet is evaluated again. */
export interface Wait {
  readonly outcome: EvaluationOutcome
  readonly text: string
  /** `null`: only when something schedules it. */
  readonly nextDueAt: Date | null
  /** How often in a row nothing could be planned, for the same cause. */
  readonly failures: number
}

/**
 * How often in a row the wallet's evaluations before ended like that. A wait for what strategies can pay is no failure to
 * plan, and the other way round: each begins with its own first pause.
 */
export function inARow({ failures, lastOutcome }: WalletReadings['wallet'], ...outcomes: EvaluationOutcome[]): number {
  return lastOutcome !== null && outcomes.includes(lastOutcome) ? failures : 0
}

/** Nothing to do, or nothing that is possible now: then the wallet is evaluated again when that may have changed. Pure. */
export function waitOf(
  { plan, pauses, excluded, input }: MoveChoice,
  wallet: WalletReadings['wallet'],
  now: Date,
): Wait {
  const text = plan.notes.join(' ')
  const waits = inARow(wallet, 'waiting', 'paused') + 1
  const retry = earliest([
    plan.shortfall > 0n || plan.awaited > 0n ? excluded.nextRetry('UNWIND') : undefined,
    input.exits.some(isHeld) ? excluded.nextRetry('CLAIM') : undefined,
    plan.weighed.length > 0 ? excluded.nextRetry('SUPPLY') : undefined,
  ])
  const soon = addMilliseconds(now, illiquidityMs(waits))
  const [paused] = pauses
  if (paused) {
    // A policy change schedules the wallet itself. A catalogue change does not; the safety net finds it.
    const ends = pauses.map(({ until, isRejection }) => (isRejection ? undefined : until))
    // A requested withdrawal does not wait for the end of the pause.
    const isAwaited = input.holdings.some((holding) => awaitedOf(holding) !== undefined)
    const nextDueAt = earliest([...ends, retry, isAwaited ? soon : undefined]) ?? null
    return { outcome: 'paused', text: paused.reason, nextDueAt, failures: isAwaited ? waits : 0 }
  }
  if (plan.awaited > 0n) {
    return { outcome: 'waiting', text, nextDueAt: retry && retry < soon ? retry : soon, failures: waits }
  }
  if (retry) return { outcome: 'refused', text, nextDueAt: retry, failures: inARow(wallet, 'refused') }
  const isRejected = input.holdings.some(({ staysBecause }) => staysBecause !== undefined) || input.exits.some(isHeld)
  return { outcome: isRejected ? 'paused' : 'in order', text, nextDueAt: null, failures: 0 }
}

const isHeld = ({ claimable, excluded }: PlannerInput['exits'][number]): boolean => claimable > 0n && excluded !== null

function earliest(dates: readonly (Date | undefined)[]): Date | undefined {
  return dates.reduce((first, date) => (first && (!date || first < date) ? first : date), undefined)
}

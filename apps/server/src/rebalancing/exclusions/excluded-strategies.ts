import { addMilliseconds, REFUSED_AMOUNT_KEPT_MS } from '../../kernel/index.ts'
import type { MoveKind } from '../planner/plan-claims.ts'
import type { PastMove, WalletState } from '../state/read-wallet-states.ts'
import { backoffMs } from './backoff.ts'
import { failuresInARow, movesByStrategy } from './strategy-failure.ts'

/** The strategies that moves of one wallet leave out at present, so that their refusal blocks no other. */
export interface ExcludedStrategies {
  /** As a text for people; `null`: the strategy is not left out. */
  reasonFor(kind: MoveKind, strategyId: number): string | null
  /** The same for a requested withdrawal, which may use strategies that only the rebalancer's own moves leave out. */
  reasonForRequested(strategyId: number): string | null
  /** Half of the withdrawal that was refused last, in base units; `undefined`: none was. */
  askAtMost(strategyId: number): bigint | undefined
  /** When the first of them is tried again; `undefined` if there is none. */
  nextRetry(kind: MoveKind): Date | undefined
}

interface Exclusion {
  readonly kind: MoveKind
  readonly strategyId: number
  readonly until: Date
  readonly reason: string
}

type WalletFacts = Pick<WalletState, 'refused' | 'pastMoves' | 'awaited'> & {
  readonly opWallet: { readonly updatedAt: Date }
}

/**
 * What the refusals of planned moves and the operations that failed leave out (ADR 123). An aborted withdrawal leaves its
 * strategy out too: which one fills a buffer matters less than that one does. An aborted deployment does not: the next
 * best strategy may be much worse, and the pause ends soon. Pure.
 */
export function excludedStrategiesOf(wallet: WalletFacts, now: Date): ExcludedStrategies {
  const failures = (['SUPPLY', 'UNWIND', 'CLAIM'] as const).flatMap((kind) => failureExclusions(wallet, kind))
  const found = [...wallet.refused.map(refusalExclusion), ...failures, ...wallet.awaited.flatMap(awaitedExclusion)]
  const exclusions = found.filter(({ until }) => until > now)
  const of = (kind: MoveKind) => exclusions.filter((exclusion) => exclusion.kind === kind)
  const reasonFor = (kind: MoveKind, strategyId: number) =>
    of(kind).find((exclusion) => exclusion.strategyId === strategyId)?.reason ?? null
  return {
    reasonFor,
    reasonForRequested: (strategyId) => reasonFor('UNWIND', strategyId),
    askAtMost: (strategyId) => halfOfRefused(wallet, strategyId, now),
    nextRetry: (kind) =>
      of(kind).reduce<Date | undefined>((first, { until }) => (first && first < until ? first : until), undefined),
  }
}

/** The same, and others besides for the rebalancer's own moves. */
export function alsoExcluding(
  excluded: ExcludedStrategies,
  isExcluded: (kind: MoveKind, strategyId: number) => boolean,
  reason: string,
): ExcludedStrategies {
  return {
    ...excluded,
    reasonFor: (kind, strategyId) =>
      excluded.reasonFor(kind, strategyId) ?? (isExcluded(kind, strategyId) ? reason : null),
  }
}

/** A move for whose gas the wallet has too little now. */
export interface UnaffordableMove {
  readonly kind: MoveKind
  readonly strategyId: number
}

/** The same without moves that the wallet cannot pay for, including those that somebody requested. */
export function withoutUnaffordable(
  excluded: ExcludedStrategies,
  unaffordable: readonly UnaffordableMove[],
): ExcludedStrategies {
  const reasonOf = (kind: MoveKind, strategyId: number) =>
    unaffordable.some((move) => move.kind === kind && move.strategyId === strategyId)
      ? 'the wallet has too little gas for it'
      : null
  return {
    ...excluded,
    reasonFor: (kind, strategyId) => excluded.reasonFor(kind, strategyId) ?? reasonOf(kind, strategyId),
    reasonForRequested: (strategyId) => excluded.reasonForRequested(strategyId) ?? reasonOf('UNWIND', strategyId),
  }
}

function refusalExclusion({ kind, strategyId, until, code, message }: WalletState['refused'][number]): Exclusion {
  return { kind, strategyId, until, reason: `it refused a move until ${until.toISOString()} (${code}: ${message})` }
}

/** The operations of awaited withdrawals are none of the rebalancer's past moves. */
function awaitedExclusion({ strategyId, failures, lastEndedAt }: WalletState['awaited'][number]): Exclusion[] {
  if (failures === 0 || lastEndedAt === undefined) return []
  const until = addMilliseconds(lastEndedAt, backoffMs(failures))
  const reason = `its last move failed; it is tried again at ${until.toISOString()}`
  return [{ kind: 'UNWIND', strategyId, until, reason }]
}

function failureExclusions({ pastMoves, opWallet }: WalletFacts, kind: MoveKind): Exclusion[] {
  return [...movesByStrategy(pastMoves, kind)].flatMap(([strategyId, moves]) => {
    const row = failuresInARow(moves)
    const [last] = row
    // A change of buffer or switch asks for another move. What reverted on the chain would revert again.
    if (!last || (last.failureReason !== 'ONCHAIN' && last.plannedAt <= opWallet.updatedAt)) return []
    const until = addMilliseconds(last.endedAt, backoffMs(row.length))
    return [{ kind, strategyId, until, reason: `its last move failed; it is tried again at ${until.toISOString()}` }]
  })
}

/**
 * The strategy said that it could pay this. Perhaps it can pay less, or the agent lets less pass: then the rest follows in
 * parts of the same size. A while later all of it is asked for again.
 */
function halfOfRefused(
  { pastMoves, refused, awaited }: WalletFacts,
  strategyId: number,
  now: Date,
): bigint | undefined {
  const moves = movesByStrategy(pastMoves, 'UNWIND').get(strategyId) ?? []
  const failed = moves.find(isAboutAmount)
  const isPaidSince = failed !== undefined && !failuresInARow(moves).includes(failed)
  const atPlanning = refused.find((one) => one.kind === 'UNWIND' && one.strategyId === strategyId)
  const requested = awaited.find((one) => one.strategyId === strategyId)?.refused
  const { paid, unpaid } = REFUSED_AMOUNT_KEPT_MS
  const found = [
    ...(failed ? [{ amount: failed.amount, at: failed.endedAt, keptMs: isPaidSince ? paid : unpaid }] : []),
    ...(atPlanning ? [{ amount: atPlanning.amount, at: atPlanning.refusedAt, keptMs: unpaid }] : []),
    ...(requested ? [{ ...requested, keptMs: requested.isPaidSince ? paid : unpaid }] : []),
  ]
  const [last] = found.toSorted((a, b) => b.at.getTime() - a.at.getTime())
  if (!last || last.amount === null || addMilliseconds(last.at, last.keptMs) <= now) return undefined
  return last.amount / 2n
}

/** A transaction that never ran says nothing about its amount. */
const isAboutAmount = ({ state, failureReason, isReverted }: PastMove): boolean =>
  state === 'FAILED' && (failureReason === 'SUBMISSION' || isReverted)

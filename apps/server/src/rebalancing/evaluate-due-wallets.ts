import { evaluateBreakers } from '../breakers/index.ts'
import { extendTransact, isDatabaseUnavailable, runBatch, type Transact, transactOn } from '../database/index.ts'
import { SYSTEM_ACTOR } from '../identity/index.ts'
import {
  addMilliseconds,
  DUE_WALLETS_BATCH,
  EVALUATIONS_CONCURRENCY_MAX,
  Failure,
  maxAmount,
  outageLogsBy,
} from '../kernel/index.ts'
import { abortOutdatedOperation, type Operation, planMove } from '../operations/index.ts'
import {
  claimEvaluations,
  type EvaluationClaim,
  type EvaluationResult,
  giveBackClaims,
  releaseClaims,
} from '../wallets/index.ts'
import { type AwaitedWithdrawal, restOf } from './awaited/awaited-withdrawal.ts'
import { endAwaited } from './awaited/end-awaited.ts'
import { addOperation } from './awaited/write-awaited.ts'
import { bufferStateOf, waitingBufferState } from './buffer-state.ts'
import { inARow, type WalletReadings } from './choose-move.ts'
import { backoffMs } from './exclusions/backoff.ts'
import { deleteRefusal, recordRefusal } from './exclusions/refused-moves.ts'
import { type KeptClaims, keepClaims } from './keep-claims.ts'
import { enforceCap } from './limits/enforce-cap.ts'
import type { HeldSums } from './limits/held-sums.ts'
import type { RebalanceParts } from './parts.ts'
import { type MovePlanning, type NextMove, planNextMove } from './plan-next-move.ts'
import type { StrategyPosition } from './planner/payable-positions.ts'
import type { PlannedMove } from './planner/plan-claims.ts'
import { reasonsOf } from './planner/plan-reasons.ts'
import type { RebalancePlan } from './planner/rebalance-plan.ts'
import { requireClaim } from './require-claim.ts'
import { revokeLeftAllowances } from './revoke-left-allowances.ts'
import { baseUnitsOf } from './settings.ts'
import { type RebalanceSnapshot, readSnapshot } from './snapshot/read-snapshot.ts'
import { moveTotalOf } from './state/move-total.ts'
import { decimalsOf, type Market } from './state/read-market.ts'
import { readWalletStates, type WalletState } from './state/read-wallet-states.ts'

interface EvaluationRound {
  readonly signal?: AbortSignal
  /** How often claims are renewed; 5 seconds except in tests. */
  readonly renewalMs?: number
  /** Called after each part of a page. */
  readonly moved?: () => void
}

/**
 * Evaluates operational wallets that are due and plans the first move of each one that needs a move (contract 10). The
 * end of that operation makes the wallet due again. Returns the number of wallets evaluated; a full page means that
 * there may be more. What the signal leaves of a page is due again at once, for other processes.
 */
export async function evaluateDueWallets(parts: RebalanceParts, round: EvaluationRound = {}): Promise<number> {
  const { signal, renewalMs } = round
  const claims = await claimEvaluations(parts.db, parts.clock.now(), DUE_WALLETS_BATCH)
  if (claims.length === 0) return 0
  const kept = keepClaims(parts, claims, renewalMs)
  try {
    await evaluatePage(parts, claims, kept, round)
  } finally {
    kept.stop()
  }
  const left = signal?.aborted ? kept.left() : []
  await giveBackClaims(parts.db, left, parts.clock.now())
  return claims.length - left.length
}

async function evaluatePage(
  parts: RebalanceParts,
  claims: readonly EvaluationClaim[],
  kept: KeptClaims,
  { signal, moved }: EvaluationRound,
): Promise<void> {
  const { withdrawHoldMs } = parts.rebalancing
  const page = await readWalletStates(parts.db, claims, { now: parts.clock.now(), withdrawHoldMs })
  const claimOf = new Map(claims.map((claim) => [claim.opWalletId, claim]))
  await evaluateBreakers(parts, [...new Set(page.map(({ opWallet }) => opWallet.organizationId))])
  const seen = await readSnapshot({ ...parts, chains: respondingOf(parts) }, page)
  for (let from = 0; from < page.length && !signal?.aborted; from += EVALUATIONS_CONCURRENCY_MAX) {
    const looked = await Promise.all(
      page
        .slice(from, from + EVALUATIONS_CONCURRENCY_MAX)
        .map((facts) => evaluateOrBackOff(parts, facts, seen, claimOf.get(facts.opWallet.opWalletId)!)),
    )
    kept.end(looked.map(({ claim }) => claim))
    const release = (results: readonly EvaluationResult[]) => releaseClaims(parts.db, results, parts.clock.now())
    await runBatch(parts, looked, {
      job: 'store evaluations',
      keyOf: ({ claim }) => String(claim.opWalletId),
      together: release,
      work: (result) => release([result]),
    })
    moved?.()
  }
}

/**
 * The chains whose nodes respond. A page holds wallets of several chains: it does not wait for the time-out of one that
 * is unavailable, whose wallets are evaluated again soon.
 */
const respondingOf = ({ chains }: Pick<RebalanceParts, 'chains'>): RebalanceParts['chains'] =>
  new Map([...chains].filter(([, chain]) => !chain.isResting()))

const outagesOf = outageLogsBy({
  away: 'failed to evaluate an operational wallet',
  back: 'an operational wallet can be evaluated again',
  level: 'error',
})

/** A wallet that fails here must not block the rest of its page. */
async function evaluateOrBackOff(
  parts: RebalanceParts,
  facts: WalletState,
  seen: RebalanceSnapshot,
  claim: EvaluationClaim,
): Promise<EvaluationResult> {
  const { organizationId, opWalletId } = facts.opWallet
  const outages = outagesOf(parts.log, parts.log)
  try {
    const result = await evaluateWallet(parts, facts, seen, claim)
    outages.recovered({ organizationId, opWalletId })
    return result
  } catch (error) {
    // The job logs once that the database is unavailable.
    if (!isDatabaseUnavailable(error)) outages.failed({ organizationId, opWalletId }, { err: error })
    const failures = inARow(facts, 'failed') + 1
    const nextDueAt = addMilliseconds(parts.clock.now(), backoffMs(failures))
    return { claim, nextDueAt, failures, note: { outcome: 'failed', text: 'Something went wrong on our side.' } }
  }
}

async function evaluateWallet(
  parts: RebalanceParts,
  wallet: WalletState,
  seen: RebalanceSnapshot,
  claim: EvaluationClaim,
): Promise<EvaluationResult> {
  let buffer: EvaluationResult['buffer']
  const done = (
    outcome: EvaluationResult['note']['outcome'],
    text: string,
    nextDueAt: Date | null = null,
    failures = 0,
  ): EvaluationResult => {
    return { claim, nextDueAt, failures, note: { outcome, text }, ...(buffer && { buffer }) }
  }
  const onChain = seen.balanceOf(wallet)
  const now = parts.clock.now()
  const soon = addMilliseconds(now, backoffMs(1))
  const market = seen.marketOf(wallet)
  const holdings = seen.positionsOf(wallet)
  if (wallet.activeOperation) {
    const { operationId, isOwnDeployment } = wallet.activeOperation
    const reason = await abortOutdatedOperation(parts, { ...wallet.opWallet, onChain }, { operationId })
    if (reason !== undefined) return done('replaced', `Operation ${operationId} was aborted. ${reason}`, now)
    if (onChain !== undefined) buffer = waitingBufferState(parts, wallet, { seen, onChain })
    const refill = await planRefillBefore(operationId)
    if (refill?.kind === 'planned') return planned(refill)
    // What it would leave in the wallet is not known.
    const again = isOwnDeployment && onChain === undefined ? soon : null
    return done('waiting', `Operation ${operationId} of the wallet has to end first.`, again)
  }
  if (!market || onChain === undefined) {
    return done('unseen', 'The chain could not be read.', soon, wallet.failures)
  }

  const awaited = await endAwaited(parts, {
    organizationId: wallet.opWallet.organizationId,
    awaited: wallet.awaited,
    holdings,
    dust: baseUnitsOf(parts.rebalancing.dust, decimalsOf(market)),
  })
  const found = await planNextMove(readingsOf(market, onChain, awaited), parts.rebalancing, planning(market))
  buffer = bufferStateOf(found.first.input, found.first.plan)
  if (found.kind === 'planned') return planned(found)
  if (found.kind === 'waits') {
    const { outcome, text, nextDueAt, failures } = found.wait
    return finish(done(outcome, text, nextDueAt, failures))
  }
  const { code, message } = found.failure
  if (code === 'OPERATION_IN_PROGRESS') return done('waiting', message)
  if (code === 'CHAIN_UNAVAILABLE') return done('unseen', message, soon, wallet.failures)
  const failures = inARow(wallet, 'refused') + 1
  return done('refused', `${code}: ${message}`, addMilliseconds(now, backoffMs(failures)), failures)

  function readingsOf(read: Market, onChain: bigint, awaited: WalletState['awaited']): WalletReadings {
    return {
      wallet: { ...wallet, awaited },
      market: read,
      onChain,
      headrooms: seen.headroomOf(wallet),
      holdings,
      exits: seen.exitsOf(wallet),
      stopped: seen.stoppedFor(wallet),
    }
  }

  function planning(read: Market, goesBefore?: number): MovePlanning<Operation> {
    const sums = seen.sumsOf(wallet)
    return {
      now,
      plan: (move, plan) =>
        planOrRefuse(parts, wallet, { plan, move, market: read, claim, holdings, sums, goesBefore }),
      recordRefusal: (refusal) => recordRefusal(parts.db, wallet.opWallet, refusal),
      deleteRefusal: (move) => deleteRefusal(parts.db, wallet.opWallet, move),
    }
  }

  /** People may take days to decide about it, and the buffer is needed now. What others requested comes before both. */
  async function planRefillBefore(operationId: number): Promise<NextMove<Operation> | undefined> {
    const { activeOperation, awaited } = wallet
    if (!activeOperation?.yieldsToRefill || awaited.length > 0 || !market || onChain === undefined) return undefined
    const readings = { ...readingsOf(market, onChain, []), isRefillOnly: true }
    return planNextMove(readings, parts.rebalancing, planning(market, operationId))
  }

  /** What gives way to a refill does so at once, once people have to decide about it. */
  function planned({ move, planned: operation }: NextMove<Operation> & { readonly kind: 'planned' }): EvaluationResult {
    const isGivingWay = move.purpose !== 'refill' && operation.state === 'PENDING_APPROVAL' && buffer === 'short'
    return done('planned', `Operation ${operation.operationId}: ${move.why}`, isGivingWay ? now : null)
  }

  /** Without a move, a revocation continues or is planned. */
  async function finish(result: EvaluationResult): Promise<EvaluationResult> {
    if (!wallet.revocation) return revokeLeftAllowances(parts, wallet, market!, result)
    const text = `Operation ${wallet.revocation.operationId} revokes an allowance.`
    return { ...result, note: { outcome: 'waiting', text } }
  }
}

interface ChosenMove {
  readonly plan: RebalancePlan
  readonly move: PlannedMove
  readonly market: Market
  readonly claim: EvaluationClaim
  readonly holdings: readonly StrategyPosition[]
  readonly sums: HeldSums | undefined
  readonly goesBefore: number | undefined
}

/** Plans the move; a failure means that nothing was planned. */
async function planOrRefuse(
  parts: RebalanceParts,
  wallet: WalletState,
  { plan, move, market, claim, holdings, sums, goesBefore }: ChosenMove,
): Promise<Operation | Failure> {
  const awaited = wallet.awaited.find(({ awaitedId }) => awaitedId === move.awaitedId)
  const value = holdings.find(({ strategyId }) => strategyId === move.strategyId)?.value ?? move.worth
  const { total, remaining } = awaited ? awaitedTotalOf(awaited, value, move) : moveTotalOf(plan, wallet.pastMoves)
  const transact = enforceCap(parts, sums, requireClaim({ claim, opWallet: wallet.opWallet }, transactOn(parts.db)))
  try {
    return await planMove(
      parts,
      {
        organizationId: wallet.opWallet.organizationId,
        opWalletId: wallet.opWallet.opWalletId,
        strategyId: move.strategyId,
        type: move.type,
        amount: move.amount,
        claim: move.purpose === 'claim',
        // Of an awaited withdrawal the rebalancer chooses only the time.
        origin: awaited ? 'explicit' : 'rebalancer',
        requestedBy: awaited?.requestedBy ?? SYSTEM_ACTOR,
        reasons: reasonsOf(plan, move.why),
        goesBefore,
        part: { total, remaining, catalogueFingerprint: market.fingerprint, purpose: move.purpose },
      },
      awaited ? fetching(awaited, transact) : transact,
    )
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return error
  }
}

/** Adds the operation to the awaited withdrawal that it fetches a part of. */
const fetching = (awaited: AwaitedWithdrawal, transact: Transact<Operation>): Transact<Operation> =>
  extendTransact(transact, async (tx, operation: Operation) => {
    await addOperation(tx, operation, awaited)
    return operation
  })

/** The approval policy judges each part by what was requested, as it judged the first. */
function awaitedTotalOf(awaited: AwaitedWithdrawal, value: bigint, { worth }: PlannedMove) {
  const rest = restOf(awaited, value)
  return { total: maxAmount(awaited.amount ?? awaited.fetched + rest, worth), remaining: maxAmount(rest - worth, 0n) }
}

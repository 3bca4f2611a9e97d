import { evaluateBreakers } from '../breakers/index.ts'
import { transactOn } from '../database/index.ts'
import { SYSTEM_ACTOR } from '../identity/index.ts'
import { addMilliseconds, DUE_WALLETS_BATCH, EVALUATIONS_CONCURRENCY_MAX, Failure } from '../kernel/index.ts'
import { abortOutdatedOperation, type Operation, planMove } from '../operations/index.ts'
import { claimEvaluations, type EvaluationClaim, type EvaluationResult, releaseClaims } from '../wallets/index.ts'
import { backoffMs, illiquidityMs, pausedUntil } from './exclusions/backoff.ts'
import { type ExcludedStrategies, excludedStrategiesOf } from './exclusions/excluded-strategies.ts'
import { forgetRefusal, isRefusal, recordRefusal } from './exclusions/refused-moves.ts'
import { enforceCap } from './limits/enforce-cap.ts'
import type { RebalanceParts } from './parts.ts'
import type { PlannedMove } from './planner/plan-claims.ts'
import { type PlannerInput, planMoves, type RebalancePlan } from './planner/planner.ts'
import { requireClaim } from './require-claim.ts'
import { revokeLeftAllowances } from './revoke-left-allowances.ts'
import { plannerInputOf } from './snapshot/planner-input.ts'
import { type RebalanceSnapshot, readSnapshot } from './snapshot/read-snapshot.ts'
import { moveTotalOf } from './state/move-total.ts'
import type { Market } from './state/read-market.ts'
import { type RefusedMove, readWalletStates, type WalletState } from './state/read-wallet-states.ts'

/**
 * Evaluates operational wallets that are due and plans the first move of each one that needs a move (contract 10). The
 * end of that operation makes the wallet due again. Returns the number of wallets evaluated; a full page means that
 * there may be more.
 */
export async function evaluateDueWallets(parts: RebalanceParts, signal?: AbortSignal): Promise<number> {
  const claims = await claimEvaluations(parts.db, parts.clock.now(), DUE_WALLETS_BATCH)
  if (claims.length === 0) return 0
  const heldSince = addMilliseconds(parts.clock.now(), -parts.rebalancing.withdrawHoldMs)
  const page = await readWalletStates(
    parts.db,
    claims.map(({ opWalletId }) => opWalletId),
    heldSince,
  )
  const claimOf = new Map(claims.map((claim) => [claim.opWalletId, claim]))
  await evaluateBreakers(parts, [...new Set(page.map(({ opWallet }) => opWallet.organizationId))])
  const seen = await readSnapshot({ ...parts, chains: respondingOf(parts) }, page)
  for (let from = 0; from < page.length && !signal?.aborted; from += EVALUATIONS_CONCURRENCY_MAX) {
    const looked = await Promise.all(
      page
        .slice(from, from + EVALUATIONS_CONCURRENCY_MAX)
        .map((facts) => evaluateOrBackOff(parts, facts, seen, claimOf.get(facts.opWallet.opWalletId)!)),
    )
    await releaseClaims(parts.db, looked, parts.clock.now())
  }
  return claims.length
}

/**
 * The chains whose nodes respond. A page holds wallets of several chains: it does not wait for the time-out of one that
 * is silent, whose wallets are evaluated again soon.
 */
const respondingOf = ({ chains }: Pick<RebalanceParts, 'chains'>): RebalanceParts['chains'] =>
  new Map([...chains].filter(([, chain]) => !chain.isResting()))

/** A wallet that fails here must not block the rest of its page. */
async function evaluateOrBackOff(
  parts: RebalanceParts,
  facts: WalletState,
  seen: RebalanceSnapshot,
  claim: EvaluationClaim,
): Promise<EvaluationResult> {
  try {
    return await evaluateWallet(parts, facts, seen, claim)
  } catch (error) {
    const { opWalletId } = facts.opWallet
    parts.log.error({ err: error, opWalletId }, 'an operational wallet could not be evaluated')
    const failures = facts.failures + 1
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
  const done = (outcome: string, text: string, nextDueAt: Date | null = null, failures = 0): EvaluationResult => {
    return { claim, nextDueAt, failures, note: { outcome, text }, ...(buffer && { buffer }) }
  }
  if (wallet.activeOperation) {
    if (!(await abortOutdatedOperation(parts, wallet.opWallet, wallet.activeOperation))) {
      return done(
        'waiting',
        `Operation ${wallet.activeOperation.operationId} of the wallet has to end first.`,
        null,
        wallet.failures,
      )
    }
    return done(
      'replaced',
      `Operation ${wallet.activeOperation.operationId} no longer matches the wallet’s settings.`,
      parts.clock.now(),
    )
  }
  const market = seen.marketOf(wallet)
  const onChain = seen.balanceOf(wallet)
  if (!market || onChain === undefined) {
    const soon = addMilliseconds(parts.clock.now(), backoffMs(1))
    return done('unseen', 'The chain could not be read.', soon, wallet.failures)
  }

  const readings = {
    wallet,
    market,
    onChain,
    headrooms: seen.headroomOf(wallet),
    holdings: seen.positionsOf(wallet),
    exits: seen.exitsOf(wallet),
    stopped: seen.stoppedFor(wallet),
  }
  const refused: RefusedMove[] = [...wallet.refused]
  // Each round leaves out one more strategy of one kind of move; the last finds no move.
  for (let round = 0; round <= 2 * market.strategies.length; round += 1) {
    const excluded = excludedStrategiesOf({ ...wallet, refused }, parts.clock.now())
    const situation = plannerInputOf({ ...readings, excluded }, parts.rebalancing)
    const found = planMoves(situation)
    buffer ??= bufferStateOf(situation, found)
    const [move] = found.moves
    if (!move) return finish(withoutMove(wallet, found, excluded))
    const paused = pausedUntil(wallet, move.type, market.fingerprint, parts.clock.now())
    if (paused) {
      // A policy change schedules the wallet itself. A catalogue change does not; the safety net finds it.
      const isRejected = wallet.pastMoves.find(({ type }) => type === move.type)?.state === 'REJECTED'
      const again = isRejected ? null : paused
      return finish(done('paused', 'The last move was rejected or failed.', again))
    }
    const outcome = await planOrRefuse(parts, wallet, { found, move, market, claim })
    if (!(outcome instanceof Failure)) {
      if (refused.some(({ type, strategyId }) => type === move.type && strategyId === move.strategyId))
        await forgetRefusal(parts.db, wallet.opWallet, move)
      return done('planned', `Operation ${outcome.operationId}: ${move.why}`)
    }
    if (outcome.code === 'OPERATION_IN_PROGRESS') return done('waiting', outcome.message, null, wallet.failures)
    if (!isRefusal(outcome, move)) {
      const failures = wallet.failures + 1
      const retry = addMilliseconds(parts.clock.now(), backoffMs(failures))
      return done('refused', `${outcome.code}: ${outcome.message}`, retry, failures)
    }
    const known = refused.findIndex(({ type, strategyId }) => type === move.type && strategyId === move.strategyId)
    const refusal = await recordRefusal(parts, { opWallet: wallet.opWallet, refused }, move, outcome)
    refused.splice(known === -1 ? refused.length : known, 1, refusal)
  }
  // Every strategy refused, and the first pauses ended meanwhile.
  return done('refused', 'Every strategy refused the move.', addMilliseconds(parts.clock.now(), backoffMs(1)))

  /** Without a move, a revocation goes on or is planned. */
  async function finish(result: EvaluationResult): Promise<EvaluationResult> {
    if (!wallet.revocation) return revokeLeftAllowances(parts, wallet, market!, result)
    const text = `Operation ${wallet.revocation.operationId} revokes an allowance.`
    return { ...result, note: { outcome: 'waiting', text } }
  }

  /** Nothing to do, or nothing that is possible now: then the wallet is evaluated again when that may have changed. */
  function withoutMove(state: WalletState, found: RebalancePlan, excluded: ExcludedStrategies): EvaluationResult {
    const text = found.notes.join(' ')
    const retry = excluded.nextRetry(found.shortfall > 0n ? 'UNWIND' : 'SUPPLY')
    if (found.awaited > 0n) {
      const failures = state.failures + 1
      const soon = addMilliseconds(parts.clock.now(), illiquidityMs(failures))
      return done('waiting', text, retry && retry < soon ? retry : soon, failures)
    }
    const refusals = found.weighed.length > 0 || found.shortfall > 0n ? retry : undefined
    return refusals ? done('refused', text, refusals, state.failures) : done('in order', text)
  }
}

/** A shortfall that no position can ever cover is not the rebalancer's to restore. */
function bufferStateOf(
  { dust, holdings, exits }: PlannerInput,
  { shortfall }: RebalancePlan,
): 'full' | 'short' | 'unfunded' {
  if (shortfall === 0n || shortfall < dust) return 'full'
  return exits.length > 0 || holdings.some(({ value }) => value > 0n) ? 'short' : 'unfunded'
}

interface ChosenMove {
  readonly found: RebalancePlan
  readonly move: PlannedMove
  readonly market: Market
  readonly claim: EvaluationClaim
}

/** Plans the move; a failure means that nothing was planned. */
async function planOrRefuse(
  parts: RebalanceParts,
  wallet: WalletState,
  { found, move, market, claim }: ChosenMove,
): Promise<Operation | Failure> {
  const { total, remaining } = moveTotalOf(found.moves, wallet.pastMoves)
  try {
    return await planMove(
      parts,
      {
        organizationId: wallet.opWallet.organizationId,
        opWalletId: wallet.opWallet.opWalletId,
        strategyId: move.strategyId,
        type: move.type,
        amount: move.amount,
        claim: move.claim,
        origin: 'rebalancer',
        requestedBy: SYSTEM_ACTOR,
        reasons: reasonsOf(found, move.why),
        part: { total, remaining, catalogueFingerprint: market.fingerprint },
      },
      enforceCap(parts.rebalancing, requireClaim(claim, transactOn(parts.db))),
    )
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return error
  }
}

/** Stored with the operation: its reason and the evaluation of each strategy. Amounts in base units. */
function reasonsOf({ excess, shortfall, awaited, weighed, sources, notes }: RebalancePlan, why: string) {
  return {
    why,
    excess: excess.toString(),
    shortfall: shortfall.toString(),
    ...(sources.length > 0 && {
      awaited: awaited.toString(),
      sources: sources.map(({ value, withdrawable, ...rest }) => ({
        ...rest,
        value: value.toString(),
        withdrawable: withdrawable.toString(),
      })),
    }),
    weighed: weighed.map(({ gain, ...rest }) => ({ ...rest, gain: gain.toString() })),
    notes,
  }
}

import { Failure, later } from '../kernel/index.ts'
import { abortOutdated, planMove } from '../operations/index.ts'
import { type Claim, claimDue, giveBack, type Looked } from './claim-due.ts'
import { type Extent, extentOf } from './extent.ts'
import { requireRoom } from './keep-cap.ts'
import type { RebalanceParts } from './parts.ts'
import { pauseAfter, pausedUntil } from './pause.ts'
import { type Plan, plan } from './planner.ts'
import { type Facts, readPage } from './read-page.ts'
import { type Seen, seePage } from './see-page.ts'
import { situationOf } from './situation.ts'

/** So many operational wallets are read together: memory stays bounded, and one request reads a chain for all of them. */
const PAGE = 100
/** So many moves are planned at the same moment. */
const ABREAST = 8

/**
 * Looks at the operational wallets that are due, and plans the first move of each that needs one (decisions 10); its
 * end asks for the next look. Returns how many were looked at; a full page means that there may be more.
 */
export async function considerDue(parts: RebalanceParts, signal?: AbortSignal): Promise<number> {
  const claims = await claimDue(parts.db, parts.clock.now(), PAGE)
  if (claims.length === 0) return 0
  const heldSince = later(parts.clock.now(), -parts.rebalancing.withdrawHoldMs)
  const page = await readPage(
    parts.db,
    claims.map(({ opWalletId }) => opWalletId),
    heldSince,
  )
  const claimOf = new Map(claims.map((claim) => [claim.opWalletId, claim]))
  const seen = await seePage(parts, page)
  for (let from = 0; from < page.length && !signal?.aborted; from += ABREAST) {
    const looked = await Promise.all(
      page
        .slice(from, from + ABREAST)
        .map((facts) => lookOrBackOff(parts, facts, seen, claimOf.get(facts.opWallet.opWalletId)!)),
    )
    await giveBack(parts.db, looked, parts.clock.now())
  }
  return claims.length
}

/** One that we cannot make sense of must not keep the others of its page from being looked at. */
async function lookOrBackOff(parts: RebalanceParts, facts: Facts, seen: Seen, claim: Claim): Promise<Looked> {
  try {
    return await look(parts, facts, seen, claim)
  } catch (error) {
    const { opWalletId } = facts.opWallet
    parts.log.error({ err: error, opWalletId }, 'an operational wallet could not be looked at')
    const failures = facts.failures + 1
    const again = later(parts.clock.now(), pauseAfter(failures))
    return { claim, again, failures, note: { outcome: 'failed', text: 'Something went wrong on our side.' } }
  }
}

async function look(parts: RebalanceParts, facts: Facts, seen: Seen, claim: Claim): Promise<Looked> {
  const done = (outcome: string, text: string, again: Date | null = null, failures = 0): Looked => {
    return { claim, again, failures, note: { outcome, text } }
  }
  if (facts.busyWith) {
    if (!(await abortOutdated(parts, facts.opWallet, facts.busyWith))) {
      return done('waiting', `Operation ${facts.busyWith.operationId} of the wallet comes first.`, null, facts.failures)
    }
    return done('replaced', `Operation ${facts.busyWith.operationId} no longer fits.`, parts.clock.now())
  }
  const market = seen.marketOf(facts)
  const onChain = seen.balanceOf(facts)
  if (!market || onChain === undefined) {
    const soon = later(parts.clock.now(), pauseAfter(1))
    return done('unseen', 'The chain could not be read.', soon, facts.failures)
  }

  const situation = situationOf(
    { facts, market, onChain, rooms: seen.roomsOf(facts), holdings: seen.holdingsOf(facts) },
    parts.rebalancing,
  )
  const found = plan(situation)
  const [move] = found.moves
  if (!move) return done('in order', found.notes.join(' '))
  const paused = pausedUntil(facts, move.type, market.fingerprint, parts.clock.now())
  if (paused) {
    // Another policy asks at once; other strategies ask for nobody, so the safety net looks again.
    const isRejected = facts.past.find(({ type }) => type === move.type)?.state === 'REJECTED'
    const again = isRejected ? null : paused
    return done('paused', 'The last move was rejected or failed.', again)
  }
  const { whole, rest } = extentOf(found.moves, facts.past)
  try {
    const operation = await planMove(
      parts,
      {
        organizationId: facts.opWallet.organizationId,
        opWalletId: facts.opWallet.opWalletId,
        strategyId: move.strategyId,
        type: move.type,
        amount: move.amount,
        origin: 'rebalancer',
        reasons: reasonsOf(found, move.why, { whole, rest, strategies: market.fingerprint }),
        moveAmount: whole,
      },
      requireRoom,
    )
    return done('planned', `Operation ${operation.operationId}: ${move.why}`)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'OPERATION_IN_PROGRESS') return done('waiting', error.message, null, facts.failures)
    const failures = facts.failures + 1
    const retry = later(parts.clock.now(), pauseAfter(failures))
    return done('refused', `${error.code}: ${error.message}`, retry, failures)
  }
}

/** Kept with the operation: why it is, and how each strategy was weighed. Amounts in base units. */
function reasonsOf(
  { excess, shortfall, weighed, notes }: Plan,
  why: string,
  { whole, rest, strategies }: Extent & { readonly strategies: string },
) {
  return {
    whole: whole.toString(),
    rest: rest.toString(),
    why,
    excess: excess.toString(),
    shortfall: shortfall.toString(),
    weighed: weighed.map(({ gain, ...rest }) => ({ ...rest, gain: gain.toString() })),
    notes,
    strategies,
  }
}

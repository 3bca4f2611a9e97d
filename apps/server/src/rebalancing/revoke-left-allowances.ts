import { transactOn } from '../database/index.ts'
import { SYSTEM_ACTOR } from '../identity/index.ts'
import { addMilliseconds, Failure, outageLogsBy } from '../kernel/index.ts'
import { checkLeftAllowance, type Operation, planMove } from '../operations/index.ts'
import type { EvaluationResult } from '../wallets/index.ts'
import { backoffMs } from './exclusions/backoff.ts'
import { nextRevocation } from './exclusions/next-revocation.ts'
import type { RebalanceParts } from './parts.ts'
import { type ChosenUnder, requireClaim } from './require-claim.ts'
import type { WalletState } from './state/read-wallet-states.ts'

const outagesOf = outageLogsBy({
  away: 'failed to plan a revocation',
  back: 'planned a revocation after failures',
  level: 'info',
})

/**
 * Plans the revocation of an allowance that an ended supply left, once the wallet has had time to use it up and has
 * nothing else to do (rule 9). One at a time: its end makes the wallet due again. Returns the evaluation with what it
 * found; `found` itself if the wallet has no such allowance.
 */
export async function revokeLeftAllowances(
  parts: RebalanceParts,
  wallet: WalletState,
  { fingerprint }: { readonly fingerprint: string },
  found: EvaluationResult,
): Promise<EvaluationResult> {
  const now = parts.clock.now()
  const again = (at: Date): EvaluationResult => ({ ...found, nextDueAt: earlier(found.nextDueAt, at) })
  const next = nextRevocation(wallet, fingerprint, now)
  if (!next) return found
  if (next.from > now) return again(next.from)
  const { organizationId, opWalletId } = wallet.opWallet
  const left = { organizationId, opWalletId, strategyId: next.strategyId }
  const outages = outagesOf(parts.log, parts.log)
  try {
    const amount = await checkLeftAllowance(parts, left, wallet.address)
    if (amount === 0n) {
      // Bytes of its approval may still land, so it stays in the list; meanwhile the others have their turn.
      const others = wallet.leftAllowances.filter(({ strategyId }) => strategyId !== next.strategyId)
      return revokeLeftAllowances(parts, { ...wallet, leftAllowances: others }, { fingerprint }, found)
    }
    const chosenUnder = { claim: found.claim, opWallet: wallet.opWallet }
    const { operationId } = await planRevocation(parts, { ...left, amount, fingerprint }, chosenUnder)
    outages.recovered(left)
    const text = `Operation ${operationId}: ${WHY}`
    return { ...found, nextDueAt: null, note: { outcome: 'planned', text } }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    outages.failed(left, { code: error.code })
    return again(addMilliseconds(now, backoffMs(found.failures + 1)))
  }
}

const WHY = 'An earlier deposit ended after its token approval, and left an allowance that nothing needs.'

interface Revocation {
  readonly organizationId: number
  readonly opWalletId: number
  readonly strategyId: number
  readonly amount: bigint
  readonly fingerprint: string
}

function planRevocation(
  parts: RebalanceParts,
  { fingerprint: catalogueFingerprint, amount, ...place }: Revocation,
  chosenUnder: ChosenUnder,
): Promise<Operation> {
  return planMove(
    parts,
    {
      ...place,
      type: 'REVOKE',
      amount,
      origin: 'rebalancer',
      requestedBy: SYSTEM_ACTOR,
      reasons: { why: WHY },
      part: { total: amount, remaining: 0n, catalogueFingerprint, purpose: 'revocation' },
    },
    requireClaim(chosenUnder, transactOn(parts.db)),
  )
}

const earlier = (known: Date | null, at: Date): Date => (known && known < at ? known : at)

import { type ApprovalContent, approvalChallenge, baseUnits } from '@weir/verify'
import type { Approvers } from './approvers.ts'
import { verifyAssertion } from './verify-assertion.ts'

/** What the service sent along; none of it is trusted. */
export interface SentApproval {
  readonly content?: { readonly plannedAt?: unknown }
  readonly signatures?: unknown
}

export interface ApprovalRequest {
  /** What the agent knows of the operation itself. */
  readonly content: Omit<ApprovalContent, 'plannedAt' | 'organizationId'>
  readonly token: { readonly symbol: string; readonly decimals: number }
  /** Base units that the bytes move at most. */
  readonly moves: bigint
  readonly sent: unknown
  /** Unix milliseconds. */
  readonly now: number
}

export type ApprovalVerdict =
  | { readonly ok: true; readonly challenge: string; readonly approvedBy: readonly string[] }
  | { readonly ok: true; readonly challenge: undefined; readonly approvedBy: readonly [] }
  | { readonly ok: false; readonly reason: string }

/** How far the service's clock may be ahead. */
const AHEAD_MS = 300_000
/** More than any organization has approvers. */
const MOST_SIGNATURES = 50

/**
 * Whether enough people signed this operation with passkeys of the agent's own list. The challenge is built from what
 * the agent verified, so signatures over another operation, wallet, amount or venue count for nothing.
 */
export async function checkApproval(approvers: Approvers, request: ApprovalRequest): Promise<ApprovalVerdict> {
  const required = requiredFor(approvers, request)
  if (required === 0) return { ok: true, challenge: undefined, approvedBy: [] }
  const { content, signatures } = sentApproval(request.sent)
  const plannedAt = new Date(String(content?.plannedAt))
  const age = request.now - plannedAt.getTime()
  if (!(age <= approvers.maxAgeMs && age >= -AHEAD_MS)) {
    const planned = Number.isNaN(age) ? 'at an unknown time' : plannedAt.toISOString()
    return {
      ok: false,
      reason: `APPROVAL_EXPIRED: ${required} signatures are required, and the operation was planned ${planned}`,
    }
  }
  const { organizationId } = approvers
  const challenge = challengeOf({ ...request.content, organizationId, plannedAt })
  if (challenge === undefined) return { ok: false, reason: 'APPROVAL_MISSING: the operation has no valid ids' }
  const [approvedBy, reasons]: [Set<string>, string[]] = [new Set(), []]
  for (const signature of signatures.slice(0, MOST_SIGNATURES)) {
    const found = await verifyAssertion(approvers, challenge, signature)
    if ('name' in found) approvedBy.add(found.name)
    else reasons.push(found.reason)
  }
  if (approvedBy.size >= required) return { ok: true, challenge, approvedBy: [...approvedBy] }
  const because = reasons.length === 0 ? '' : ` (${reasons.slice(0, 3).join('; ')})`
  return {
    ok: false,
    reason: `APPROVAL_MISSING: ${approvedBy.size} of ${required} required people signed this operation${because}`,
  }
}

/** Undefined: the service sent ids that no approval can name. */
function challengeOf(content: ApprovalContent): string | undefined {
  try {
    return approvalChallenge(content)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The most that any matching rule requires. */
function requiredFor({ rules }: Approvers, { token, moves }: ApprovalRequest): number {
  const matching = rules.filter((rule) => {
    const least = rule.amountAtLeast === undefined ? 0n : atLeast(rule.amountAtLeast, token.decimals)
    return (rule.token ?? token.symbol) === token.symbol && moves >= least
  })
  return Math.max(0, ...matching.map(({ required }) => required))
}

/** A threshold that is finer than the token is rounded down, so that it matches more moves, not fewer. */
function atLeast(amount: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = amount.split('.')
  return baseUnits(fraction === '' ? whole : `${whole}.${fraction.slice(0, decimals) || '0'}`, decimals) ?? 0n
}

function sentApproval(sent: unknown): { readonly content: SentApproval['content']; readonly signatures: unknown[] } {
  const { content, signatures } = (typeof sent === 'object' && sent !== null ? sent : {}) as SentApproval
  return {
    content: typeof content === 'object' && content !== null ? content : undefined,
    signatures: Array.isArray(signatures) ? signatures : [],
  }
}

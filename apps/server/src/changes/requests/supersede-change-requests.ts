import type { Tx } from '../../database/index.ts'
import type { ChangeParts } from '../parts.ts'
import type { ChangeKind } from '../policy/change-policy.ts'
import { advanceChangeRequest } from './advance-change-request.ts'
import { type ChangeRequest, changeRequestFrom, isUnended } from './change-request.ts'
import { lockChangeRequest } from './lock-change-request.ts'
import { requesterEndsAt } from './requester-ends-at.ts'

/**
 * Kinds whose changes replace something as a whole: completing one cancels all other open requests for the same action,
 * which were approved on top of what no longer applies.
 */
const REPLACING: readonly ChangeKind[] = ['approval_policy', 'change_policy']

/** Whether completing a change of this kind cancels requests that were made after it, too; it takes the organization's lock. */
export const isReplacing = (kind: ChangeKind): boolean => REPLACING.includes(kind)

/**
 * Cancels the open requests that were made before this one and are about the same object or member, the newest first.
 * Otherwise a weak change, once approved, could be kept in reserve and made after its reversal. Returns what it cancelled.
 */
export async function supersedeChangeRequests(
  tx: Tx,
  parts: ChangeParts,
  completed: ChangeRequest,
  at: Date,
): Promise<readonly ChangeRequest[]> {
  const { organizationId, id } = completed
  const open = await tx
    .selectFrom('change_requests as request')
    .selectAll('request')
    .select(requesterEndsAt().as('requester_ends_at'))
    .where('request.organization_id', '=', organizationId)
    .where('request.id', '<>', id)
    .where('request.ended_at', 'is', null)
    // Requests are always locked from newer to older ones, so two completions never wait for each other.
    .orderBy('request.id', 'desc')
    .execute()
  const superseded: ChangeRequest[] = []
  for (const row of open) {
    if (!isSuperseded(completed, changeRequestFrom(parts.sealer, row))) continue
    const request = await lockChangeRequest(tx, parts, { organizationId, changeRequestId: row.id })
    if (isUnended(request)) superseded.push(await advanceChangeRequest(tx, request, 'superseded', at))
  }
  return superseded
}

function isSuperseded(completed: ChangeRequest, other: ChangeRequest): boolean {
  if (isReplacing(completed.kind) && other.kind === completed.kind && other.action === completed.action) return true
  if (other.id > completed.id) return false
  const { concernedUserId } = completed
  return (concernedUserId !== null && other.concernedUserId === concernedUserId) || isAboutSameObject(completed, other)
}

/** A POST to a path adds to what is there: several requests to add something are about different objects. */
function isAboutSameObject({ content: a }: ChangeRequest, { content: b }: ChangeRequest): boolean {
  return a.path !== '' && a.path === b.path && a.method !== 'POST' && b.method !== 'POST'
}

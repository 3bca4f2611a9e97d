import { sql } from 'kysely'
import { type Role, type Transact, type Tx, transactOn } from '../../database/index.ts'
import { appendAuditEntry, lockOrganization } from '../../identity/index.ts'
import {
  addMilliseconds,
  assert,
  CHANGE_APPROVAL_TIMEOUT_MS,
  Failure,
  OPEN_CHANGE_REQUESTS_MAX,
  OPEN_CHANGE_REQUESTS_PER_MEMBER_MAX,
  OPEN_CHANGE_REQUESTS_PER_REQUESTER_MAX,
} from '../../kernel/index.ts'
import type { ChangeParts } from '../parts.ts'
import type { ChangeKind, ChangeRule } from '../policy/change-policy.ts'
import { advanceChangeRequest, insertChangeRequest } from './advance-change-request.ts'
import { type ChangeContent, type ChangeRequester, contentLabel } from './change-request.ts'
import { expireChangeRequest } from './expire-change-requests.ts'
import { lockChangeRequest } from './lock-change-request.ts'
import { type ChangeRequestView, getChangeRequest } from './read-change-requests.ts'
import { requestEndsAt } from './requester-ends-at.ts'

export interface RequestedChange {
  readonly organizationId: number
  readonly kind: ChangeKind
  /** The `operationId` of the route. */
  readonly action: string
  readonly content: ChangeContent
  readonly fingerprint: Buffer
  readonly requestedBy: ChangeRequester
  /** The member whom the change is about, and the role that it gives them. */
  readonly concerns?: { readonly userId: number; readonly role?: Role | undefined } | undefined
  /** The caller's network address. */
  readonly from: string
  readonly rule: ChangeRule
}

/**
 * Requests a change instead of making it. The same request of the same caller returns the one that is already open. A
 * rule that demands no approvals approves it at once, and only the cooling-off period remains. Error: CONFLICT when the
 * requester, the member who answers for it, or the organization has too many open requests.
 */
export async function requestChange(
  parts: ChangeParts,
  change: RequestedChange,
  transact: Transact<ChangeRequestView> = transactOn(parts.db),
): Promise<ChangeRequestView> {
  const { organizationId } = change
  return await transact(async (tx) => {
    const at = parts.clock.now()
    // Serializes requests: two concurrent ones would both count 99, or both be new.
    await lockOrganization(tx, organizationId)
    const same = await findUnended(tx, change)
    if (same !== undefined && same.expires_at > at)
      return await getChangeRequest({ ...parts, db: tx }, { organizationId, changeRequestId: same.id })
    if (same !== undefined)
      await expireChangeRequest(
        tx,
        await lockChangeRequest(tx, parts, { organizationId, changeRequestId: same.id }),
        at,
      )
    const requesterUserId = await requesterOf(tx, change)
    await requireRoom(tx, change, requesterUserId, at)
    const changeRequestId = await insert(tx, parts, { ...change, requesterUserId }, at)
    await appendAuditEntry(tx, {
      organizationId,
      actor: change.requestedBy,
      action: 'requestChange',
      objectType: 'change_request',
      objectId: changeRequestId,
      from: change.from,
      at,
      details: { kind: change.kind, action: change.action },
    })
    return await getChangeRequest({ ...parts, db: tx }, { organizationId, changeRequestId })
  })
}

async function findUnended(tx: Tx, { organizationId, fingerprint, requestedBy }: RequestedChange) {
  return await tx
    .selectFrom('change_requests')
    .select(['id', 'expires_at'])
    .where('organization_id', '=', organizationId)
    .where('fingerprint', '=', fingerprint)
    .where('requested_by_type', '=', requestedBy.type)
    .where('requested_by_id', '=', requestedBy.id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
}

async function requireRoom(
  tx: Tx,
  { organizationId, requestedBy }: RequestedChange,
  requesterUserId: number | null,
  at: Date,
): Promise<void> {
  const isOfRequester = sql<boolean>`requested_by_type = ${requestedBy.type} and requested_by_id = ${requestedBy.id}`
  const open = await tx
    .selectFrom('change_requests as request')
    .select(({ fn }) => [
      fn.countAll<number>().as('all'),
      fn.countAll<number>().filterWhere(isOfRequester).as('ofRequester'),
      fn.countAll<number>().filterWhere('requester_user_id', '=', requesterUserId).as('ofMember'),
    ])
    .where('organization_id', '=', organizationId)
    .where('ended_at', 'is', null)
    .where(requestEndsAt(), '>', at)
    .executeTakeFirstOrThrow()
  if (open.ofRequester >= OPEN_CHANGE_REQUESTS_PER_REQUESTER_MAX)
    throw tooMany('You', OPEN_CHANGE_REQUESTS_PER_REQUESTER_MAX)
  if (open.ofMember >= OPEN_CHANGE_REQUESTS_PER_MEMBER_MAX)
    throw tooMany('A member and the keys and secrets that they hold', OPEN_CHANGE_REQUESTS_PER_MEMBER_MAX)
  if (open.all >= OPEN_CHANGE_REQUESTS_MAX) throw tooMany('An organization', OPEN_CHANGE_REQUESTS_MAX)
}

function tooMany(who: string, max: number): Failure {
  return new Failure('CONFLICT', {
    message: `${who} can have at most ${max} open change requests. Reject or cancel some.`,
    details: { reason: 'too_many_change_requests', max },
  })
}

async function insert(
  tx: Tx,
  parts: ChangeParts,
  change: RequestedChange & { readonly requesterUserId: number | null },
  at: Date,
): Promise<number> {
  const { organizationId, kind, action, fingerprint, requestedBy, rule } = change
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('change_requests', 'id')) as id
  `.execute(tx)
  const { id } = rows[0]!
  await insertChangeRequest(tx, {
    organizationId,
    id,
    kind,
    action,
    fingerprint,
    content: parts.sealer.seal(JSON.stringify(change.content), contentLabel(organizationId, id)),
    requestedBy,
    requesterUserId: change.requesterUserId,
    concernedUserId: change.concerns?.userId ?? null,
    givenRole: change.concerns?.role ?? null,
    ...rule,
    createdAt: at,
    expiresAt: addMilliseconds(at, CHANGE_APPROVAL_TIMEOUT_MS),
  })
  if (rule.requiredApprovals === 0) {
    const request = await lockChangeRequest(tx, parts, { organizationId, changeRequestId: id })
    await advanceChangeRequest(tx, request, 'approved', at)
  }
  return id
}

/**
 * The user, or the one who generated the key or received the secret: to approve what your own key requested is to
 * approve your own request.
 */
async function requesterOf(tx: Tx, { organizationId, requestedBy }: RequestedChange): Promise<number | null> {
  if (requestedBy.type === 'user') return requestedBy.id
  if (requestedBy.type === 'service_account') {
    assert(requestedBy.heldBy !== undefined, 'a member holds the secret of a service account')
    return requestedBy.heldBy
  }
  const key = await tx
    .selectFrom('api_keys')
    .select('created_by')
    .where('organization_id', '=', organizationId)
    .where('id', '=', requestedBy.id)
    .executeTakeFirst()
  return key?.created_by ?? null
}

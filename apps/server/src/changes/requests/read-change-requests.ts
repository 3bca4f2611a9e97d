import { sql } from 'kysely'
import type { ChangeRequestState, Database, Tx } from '../../database/index.ts'
import {
  type Explanation,
  explanationFrom,
  type Page,
  type PageRequest,
  type StoredExplanation,
} from '../../identity/index.ts'
import type { ChangeParts } from '../parts.ts'
import { RAMP_CHANGE_KINDS } from '../policy/change-policy.ts'
import { approvalCounts } from './approval-counts.ts'
import { type ChangeRequest, changeRequestFrom, changeRequestNotFound } from './change-request.ts'
import type { ChangeRequestRef } from './lock-change-request.ts'
import { requestEndsAt, requesterEndsAt } from './requester-ends-at.ts'

/** What one member decided, and why. */
export interface ChangeDecision extends Explanation {
  readonly userId: number
  readonly email: string
  readonly decision: 'approve' | 'reject'
  readonly at: Date
  /** Whether the member is still there, may approve, is not the requester, and gets no more rights by the change. */
  readonly counts: boolean
}

/** By the address, which only the member changes; an admin who changes names could give one member the name of another. */
export interface ConcernedMember {
  readonly id: number
  readonly email: string
  readonly name: string | null
}

/** A change request as its readers see it. */
export type ChangeRequestView = ChangeRequest & {
  /** A member's email address or a key's name. */
  readonly requesterName: string | null
  /** The member whom it is about, as they are now: a display name may have changed since the request. */
  readonly concernedMember: ConcernedMember | null
  readonly decisions: readonly ChangeDecision[]
}

/** Approvals that count now. */
export const approvalsOf = ({ decisions }: Pick<ChangeRequestView, 'decisions'>): number =>
  decisions.filter(({ decision, counts }) => decision === 'approve' && counts).length

/** Which change requests a reader may see. */
export interface ChangeScope {
  readonly organizationId: number
  /** Without those about the ramp, for a reader who may not read payments either. */
  readonly withoutRamp?: boolean
}

type ReadParts = Pick<ChangeParts, 'clock' | 'sealer'> & { readonly db: Database | Tx }

/** Error: NOT_FOUND. */
export async function getChangeRequest(
  { db, sealer }: ReadParts,
  { changeRequestId, ...scope }: ChangeRequestRef & ChangeScope,
): Promise<ChangeRequestView> {
  const row = await select(db, scope).where('request.id', '=', changeRequestId).executeTakeFirst()
  if (row === undefined) throw changeRequestNotFound()
  return viewFrom(sealer, row)
}

/** A page of the change requests within a scope, newest first. */
export async function listChangeRequests(
  { db, sealer, clock }: ReadParts,
  scope: ChangeScope,
  filter: { readonly state?: ChangeRequestState | undefined },
  page: PageRequest,
): Promise<Page<ChangeRequestView>> {
  const matching = select(db, scope).$if(filter.state !== undefined, (query) =>
    query.where(inState(filter.state!, clock.now())),
  )
  const [rows, { total }] = await Promise.all([
    matching
      .orderBy('request.id', 'desc')
      .$if(page.limit !== null, (query) => query.limit(page.limit))
      .offset(page.offset)
      .execute(),
    matching
      .clearSelect()
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { items: rows.map((row) => viewFrom(sealer, row)), total }
}

/** Overdue requests are expired, and those whose requester has ended are cancelled, even before the sweep says so. */
function inState(state: ChangeRequestState, now: Date) {
  const hasEnded = sql<boolean>`request.ended_at is null and ${requestEndsAt()} <= ${now}`
  const isSo = sql<boolean>`request.state = ${state}`
  if (state === 'expired') return sql<boolean>`(${isSo} or ${hasEnded} and ${requestEndsAt()} = request.expires_at)`
  if (state === 'cancelled') return sql<boolean>`(${isSo} or ${hasEnded} and ${requestEndsAt()} < request.expires_at)`
  return sql<boolean>`${isSo} and not (${hasEnded})`
}

interface StoredDecision extends StoredExplanation {
  readonly userId: number
  readonly email: string
  readonly decision: 'approve' | 'reject'
  readonly at: string
  readonly counts: boolean
}

function select(db: Database | Tx, { organizationId, withoutRamp = false }: ChangeScope) {
  return db
    .selectFrom('change_requests as request')
    .selectAll('request')
    .select([
      requesterEndsAt().as('requester_ends_at'),
      sql<string | null>`case request.requested_by_type
        when 'user' then (select email from users
          where organization_id = request.organization_id and id = request.requested_by_id)
        when 'service_account' then (select name from service_accounts
          where organization_id = request.organization_id and id = request.requested_by_id)
        else (select name from api_keys
          where organization_id = request.organization_id and id = request.requested_by_id)
      end`.as('requester_name'),
      sql<ConcernedMember | null>`(
        select jsonb_build_object('id', member.id, 'email', member.email, 'name', member.name) from users member
        where member.organization_id = request.organization_id and member.id = request.concerned_user_id
      )`.as('concerned_member'),
      sql<StoredDecision[]>`(
        select coalesce(jsonb_agg(jsonb_build_object(
          'userId', member.id, 'email', member.email, 'decision', decision.decision, 'at', decision.created_at,
          'counts', ${approvalCounts()},
          'reason', decision.reason, 'link', decision.link, 'file_sha256', decision.file_sha256
        ) order by decision.created_at, member.id), '[]')
        from change_decisions decision join users member
          on member.organization_id = decision.organization_id and member.id = decision.user_id
        where decision.organization_id = request.organization_id and decision.change_request_id = request.id
      )`.as('decisions'),
    ])
    .where('request.organization_id', '=', organizationId)
    .$if(withoutRamp, (query) => query.where('request.kind', 'not in', RAMP_CHANGE_KINDS))
}

type ViewRow = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>

function viewFrom(sealer: ChangeParts['sealer'], row: ViewRow): ChangeRequestView {
  return {
    ...changeRequestFrom(sealer, row),
    requesterName: row.requester_name,
    concernedMember: row.concerned_member,
    decisions: row.decisions.map(decisionFrom),
  }
}

const decisionFrom = ({ userId, email, decision, at, counts, ...explanation }: StoredDecision): ChangeDecision => ({
  userId,
  email,
  decision,
  at: new Date(at),
  counts,
  ...explanationFrom(explanation),
})

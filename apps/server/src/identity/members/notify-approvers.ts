import type { Tx } from '../../database/index.ts'
import { NOTICE_LIFETIME_MS } from '../../kernel/index.ts'
import type { WaitingRequest } from '../mail/mail-content.ts'
import { queueMail } from '../mail/queue-mail.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { APPROVER_ROLES } from './member.ts'

export interface ApproverNotice {
  readonly organizationId: number
  /** The member whose approval would not count. */
  readonly exceptUserId: number | null
  readonly request: WaitingRequest
}

/**
 * Queues an email to each member who may approve the request, unless the organization or the member switched these
 * emails off. Where addresses must be proved, only proved ones get one. The caller marks the request as notified in the
 * same transaction, so each request is notified once.
 */
export async function notifyApprovers(
  tx: Tx,
  parts: Pick<IdentityParts, 'clock' | 'secrets' | 'mail'>,
  { organizationId, exceptUserId, request }: ApproverNotice,
): Promise<void> {
  const members = await tx
    .selectFrom('users as member')
    .innerJoin('organizations as organization', 'organization.id', 'member.organization_id')
    .select(['member.id', 'member.email', 'member.email_verified_at', 'organization.name as organizationName'])
    .where('organization.id', '=', organizationId)
    .where('organization.deleted_at', 'is', null)
    .where('organization.approval_mails', '=', true)
    .where('member.removed_at', 'is', null)
    .where('member.approval_mails', '=', true)
    .where('member.role', 'in', APPROVER_ROLES)
    .orderBy('member.id')
    .execute()
  const mustBeProved = parts.mail?.emailVerification === 'required'
  for (const { id, email, email_verified_at: provedAt, organizationName } of members) {
    if (id === exceptUserId || (mustBeProved && provedAt === null)) continue
    await queueMail(tx, parts, {
      organizationId,
      to: email,
      content: { kind: 'approval_request', organizationName, request },
      lifetimeMs: NOTICE_LIFETIME_MS,
    })
  }
}

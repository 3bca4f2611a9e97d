import { type Role, type Transact, type Tx, transactOn } from '../../database/index.ts'
import { addressInUse, releaseAddress } from '../addresses/release-address.ts'
import { invalidToken } from '../mail/account-token.ts'
import { insertUser } from '../members/add-member.ts'
import { pausedApproval } from '../members/assign-password.ts'
import { hashNewPassword } from '../members/hash-new-password.ts'
import { refusePasswordAccount } from '../members/sso-requirement.ts'
import { openSession, type SessionClient, type SessionWithTokens } from '../sessions/session.ts'
import { clearTokenAttempt, recordTokenAttempt } from '../sessions/token-attempts.ts'
import { memberUse } from '../shared/identity-use.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { requireQuota } from '../shared/require-quota.ts'
import { tokenHash } from '../shared/token-hash.ts'
import { validateName } from '../shared/validate-text.ts'

export interface InvitationAcceptance {
  readonly token: string
  readonly name?: string
  readonly password: string
  /** Takes the address over from an account that never proved it. */
  readonly takeAddress: boolean
  /** The network of the request; wrong tokens are counted per network. */
  readonly address: string
  readonly client?: SessionClient
}

/**
 * Makes the holder of an invitation a member, with a proved address and a password that nobody else knows, and opens a
 * session. FORBIDDEN, with the same message, for an invitation that is unknown, used, expired or revoked, and for one
 * whose inviter could no longer send it; CONFLICT when another account has the address and at the quota of members; VALIDATION_ERROR at `name` or
 * `password`; RATE_LIMIT_EXCEEDED after too many wrong tokens.
 */
export async function acceptMemberInvitation(
  parts: Pick<
    IdentityParts,
    | 'db'
    | 'clock'
    | 'random'
    | 'secrets'
    | 'environment'
    | 'sessionLimits'
    | 'log'
    | 'quotas'
    | 'passwordRules'
    | 'assignedPasswords'
  >,
  input: InvitationAcceptance,
  transact: Transact<SessionWithTokens> = transactOn(parts.db),
): Promise<SessionWithTokens> {
  const name = input.name === undefined ? null : validateName('name', input.name)
  const attempt = await recordTokenAttempt(parts, input.address)
  const passwordHash = await hashNewPassword(parts, { password: input.password, about: [name] })
  return await transact(async (tx) => {
    const at = parts.clock.now()
    const { id, email, role, organization } = await lockInvitation(tx, at, input.token)
    await refusePasswordAccount(tx, email, at)
    await requireQuota(tx, parts, { organizationId: organization.id, quota: 'members', use: memberUse })
    await releaseAddress(tx, parts, { email, takeAddress: input.takeAddress })
    const member = await insertUser(tx, parts, {
      organizationId: organization.id,
      email,
      name,
      role,
      passwordHash,
      verifiedAt: at,
      paused: pausedApproval(parts.assignedPasswords, at),
    })
    if (member === undefined) throw addressInUse()
    await tx
      .updateTable('member_invitations')
      .set({ accepted_at: at, user_id: member.id })
      .where('organization_id', '=', organization.id)
      .where('id', '=', id)
      .execute()
    await clearTokenAttempt(tx, attempt)
    const user = { id: member.id, email, name, role }
    return await openSession(tx, parts, { user, organization }, input.client)
  })
}

/**
 * Reads a valid invitation and locks it, after its organization: its inviter cannot be removed or demoted until the
 * transaction ends, as with every change of a member.
 */
async function lockInvitation(tx: Tx, at: Date, token: string) {
  const hash = tokenHash(token)
  const organization = await tx
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where('id', '=', (one) =>
      one.selectFrom('member_invitations').select('organization_id').where('token_hash', '=', hash),
    )
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const invitation = await tx
    .selectFrom('member_invitations')
    .select(['id', 'email', 'role', 'invited_by as invitedBy'])
    .where('token_hash', '=', hash)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .forUpdate()
    .executeTakeFirst()
  if (organization === undefined || invitation === undefined) throw invalidToken()
  const inviter = await tx
    .selectFrom('users')
    .select('role')
    .where('organization_id', '=', organization.id)
    .where('id', '=', invitation.invitedBy)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (inviter === undefined || !mayAdd(inviter.role, invitation.role)) throw invalidToken()
  return { ...invitation, organization }
}

function mayAdd(inviter: Role, role: Role): boolean {
  return inviter === 'owner' || (inviter === 'admin' && role !== 'owner')
}

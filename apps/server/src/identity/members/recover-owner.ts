import { type Transact, transactOn } from '../../database/index.ts'
import { addMilliseconds, Failure, RECOVERY_PASSWORD_LIFETIME_MS, randomBase62 } from '../../kernel/index.ts'
import { appendAuditEntry } from '../audit/append-audit-entry.ts'
import { revokeResets } from '../mail/account-token.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { normalizeEmail } from '../shared/validate-text.ts'
import { assignedPassword } from './assign-password.ts'
import { clearFactors } from './clear-factors.ts'
import { endSessions } from './end-sessions.ts'
import { hashPassword } from './password.ts'

/** 24 base62 characters are 142 bits: too many to guess within an hour. */
const PASSWORD_LENGTH = 24

export interface RecoveredOwner {
  readonly organizationId: number
  readonly userId: number
  /** Leaves the service once; only its hash is stored. */
  readonly password: string
  readonly expiresAt: Date
  readonly endedSessions: number
}

/**
 * Gives an owner who lost their password a one-time password for an hour, removes their second factors and ends their
 * sessions, for the operator of the host. The owner must replace it before anything else, and approves nothing for a
 * day. It works also where single sign-on is required, and however many guesses others make. NOT_FOUND unless the address is that of an owner of an existing
 * organization.
 */
export async function recoverOwner(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'random' | 'log'>,
  email: string,
  transact: Transact<RecoveredOwner> = transactOn(parts.db),
): Promise<RecoveredOwner> {
  const password = randomBase62(parts.random, PASSWORD_LENGTH)
  const passwordHash = await hashPassword(password)
  const at = parts.clock.now()
  const expiresAt = addMilliseconds(at, RECOVERY_PASSWORD_LIFETIME_MS)
  const recovered = await transact(async (tx) => {
    const owner = await tx
      .updateTable('users')
      .from('organizations')
      .set({
        password_hash: passwordHash,
        ...assignedPassword('one-time', at),
        // The operator of the host is no member who could act as the owner.
        password_assigned_at: null,
        // The same time: a password that others can guess never has it.
        password_expires_at: expiresAt,
        sso_exempt_until: expiresAt,
      })
      .where('users.email', '=', normalizeEmail(email))
      .where('users.role', '=', 'owner')
      .where('users.removed_at', 'is', null)
      .whereRef('organizations.id', '=', 'users.organization_id')
      .where('organizations.deleted_at', 'is', null)
      .returning(['users.organization_id as organizationId', 'users.id as userId'])
      .executeTakeFirst()
    if (owner === undefined) throw new Failure('NOT_FOUND', { message: 'No owner has this email address.' })
    const { organizationId, userId } = owner
    await revokeResets(tx, { organizationId, id: userId })
    await clearFactors(tx, { organizationId, id: userId })
    const endedSessions = await endSessions(tx, at, { organizationId, id: userId })
    await appendAuditEntry(tx, {
      organizationId,
      actor: { type: 'system', id: null },
      action: 'recoverOwner',
      objectType: 'member',
      objectId: userId,
      from: null,
      at,
      details: { ended: endedSessions },
    })
    return { organizationId, userId, password, expiresAt, endedSessions }
  })
  const { organizationId, userId, endedSessions } = recovered
  parts.log.warn({ organizationId, userId, endedSessions }, 'a command on the host gave an owner a one-time password')
  return recovered
}

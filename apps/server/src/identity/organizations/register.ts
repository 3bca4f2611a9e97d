import { type Transact, transactOn } from '../../database/index.ts'
import { emailVerificationOf } from '../mail/queue-mail.ts'
import { sendVerification } from '../mail/send-verification.ts'
import { hashNewPassword } from '../members/hash-new-password.ts'
import { openSession, type SessionClient, type SessionWithTokens } from '../sessions/session.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { validateEmail, validateName } from '../shared/validate-text.ts'
import { createOrganization } from './create-organization.ts'
import { redeemInvitation } from './redeem-invitation.ts'

/** Who may register an organization: everyone, holders of an invitation, or nobody. */
export type RegistrationMode = 'open' | 'invite' | 'closed'

export interface Registration {
  readonly email: string
  readonly password: string
  readonly name?: string
  readonly organizationName: string
  /** An invitation to redeem with the registration. */
  readonly invitation?: string
  readonly client?: SessionClient
}

/**
 * Creates an organization, its first user as owner, its default profile, and a session (contract 3). VALIDATION_ERROR
 * for a malformed field, CONFLICT for an email in use, FORBIDDEN for an invitation that is not valid and
 * (`sso_required`) for an email domain that requires single sign-on. Where addresses must be proved, use
 * `requestRegistration`.
 */
export async function register(
  parts: Pick<
    IdentityParts,
    'db' | 'clock' | 'random' | 'secrets' | 'environment' | 'sessionLimits' | 'mail' | 'passwordRules'
  >,
  input: Registration,
  transact: Transact<SessionWithTokens> = transactOn(parts.db),
): Promise<SessionWithTokens> {
  const email = validateEmail(input.email)
  const name = input.name === undefined ? null : validateName('name', input.name)
  const organizationName = validateName('organizationName', input.organizationName)
  const passwordHash = await hashNewPassword(parts, {
    password: input.password,
    about: [email, name, organizationName],
  })
  return await transact(async (tx) => {
    const create = () => createOrganization(tx, parts, { name: organizationName, owner: { email, name, passwordHash } })
    const { invitation } = input
    const { user, organization } =
      invitation === undefined
        ? await create()
        : await redeemInvitation(tx, { token: invitation, email, at: parts.clock.now() }, create)
    if (emailVerificationOf(parts) === 'optional')
      await sendVerification(tx, parts, { organizationId: organization.id, userId: user.id, email })
    return await openSession(tx, parts, { user, organization }, input.client)
  })
}

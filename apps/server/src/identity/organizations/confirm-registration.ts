import { type Transact, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { PendingRegistration } from '../addresses/address-request.ts'
import { releaseAddress } from '../addresses/release-address.ts'
import { consumeToken, invalidToken, registrationLabel } from '../mail/account-token.ts'
import { requireMail } from '../mail/queue-mail.ts'
import { passwordMatches } from '../members/password.ts'
import { openSession, type SessionClient, type SessionWithTokens } from '../sessions/session.ts'
import { clearTokenAttempt, recordTokenAttempt } from '../sessions/token-attempts.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { tokenHash } from '../shared/token-hash.ts'
import { createOrganization } from './create-organization.ts'
import { redeemInvitation } from './redeem-invitation.ts'
import type { RegistrationMode } from './register.ts'

export interface RegistrationConfirmation {
  readonly token: string
  /** The password of the registration: somebody whose address a stranger registered does not know it. */
  readonly password: string
  /** Takes the address over from an account that never proved it. */
  readonly takeAddress: boolean
  /** The network of the request; wrong tokens and passwords are counted. */
  readonly address: string
  readonly client?: SessionClient
}

type ConfirmationParts = Pick<
  IdentityParts,
  'db' | 'clock' | 'random' | 'secrets' | 'environment' | 'sessionLimits' | 'mail' | 'log'
>

/**
 * Creates the organization of a registration whose address is proved by the token, with a session of its owner.
 * FORBIDDEN for a token that is not valid, or an invitation that is missing or no longer valid; UNAUTHORIZED for a different
 * password than that of the registration; CONFLICT when an account has the address; RATE_LIMIT_EXCEEDED.
 */
export async function confirmRegistration(
  parts: ConfirmationParts,
  mode: RegistrationMode,
  { token, password, takeAddress, address, client }: RegistrationConfirmation,
  transact: Transact<SessionWithTokens> = transactOn(parts.db),
): Promise<SessionWithTokens> {
  const attempt = await recordTokenAttempt(parts, address)
  const pending = await pendingRegistration(parts, token)
  if (!(await passwordMatches(pending?.passwordHash, password)) || pending === undefined) {
    if (pending === undefined) throw invalidToken()
    throw new Failure('UNAUTHORIZED', { message: 'This is not the password that was chosen at registration.' })
  }
  const { email, name, organizationName, passwordHash, invitation } = pending
  if (mode === 'invite' && invitation === null) {
    throw new Failure('FORBIDDEN', { message: 'Registration on this service requires an invitation.' })
  }
  return await transact(async (tx) => {
    const at = parts.clock.now()
    await consumeToken(tx, at, { purpose: 'registration', token })
    await releaseAddress(tx, parts, { email, takeAddress })
    const owner = { email, name, passwordHash, verifiedAt: at }
    const create = () => createOrganization(tx, parts, { name: organizationName, owner })
    const { user, organization } =
      invitation === null ? await create() : await redeemInvitation(tx, { token: invitation, email, at }, create)
    await clearTokenAttempt(tx, attempt)
    return await openSession(tx, parts, { user, organization }, client)
  })
}

async function pendingRegistration(parts: ConfirmationParts, token: string): Promise<PendingRegistration | undefined> {
  const { sealer } = requireMail(parts)
  const hash = tokenHash(token)
  const row = await parts.db
    .selectFrom('account_tokens')
    .select('registration')
    .where('token_hash', '=', hash)
    .where('purpose', '=', 'registration')
    .where('used_at', 'is', null)
    .where('expires_at', '>', parts.clock.now())
    .executeTakeFirst()
  if (!row?.registration) return undefined
  return JSON.parse(sealer.open(row.registration, registrationLabel(hash))) as PendingRegistration
}

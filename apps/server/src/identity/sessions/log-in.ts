import { type FactorKind, type Transact, type Tx, transactOn } from '../../database/index.ts'
import { FACTOR_CHALLENGE_LIFETIME_MS, Failure, type Refusal } from '../../kernel/index.ts'
import { clearAttempt, recordAttempt, rememberAddress, sweepAttempts } from '../attempts/login-attempts.ts'
import { issueChallenge, type UserKey } from '../factors/challenges.ts'
import { shareFactors } from '../factors/factors-of-user.ts'
import { type PasskeyRequest, requestPasskey } from '../factors/request-passkey.ts'
import { passwordMatches } from '../members/password.ts'
import { findSsoRequirement, refuseBoundMember, ssoRequired } from '../members/sso-requirement.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { normalizeEmail } from '../shared/validate-text.ts'
import { type AccountWithPassword, findAccount } from './find-account.ts'
import { openSession, type SessionClient, type SessionWithTokens } from './session.ts'

export interface Login {
  readonly email: string
  readonly password: string
  /** The network of the request; failures are counted per account and network. */
  readonly address: string
  readonly client?: SessionClient
}

/** The password or the identity provider was right, and the user has a second factor: no session yet. */
export interface FactorChallenge {
  readonly secondFactorRequired: true
  /** Can be used once, to complete this login; it is the challenge that a passkey signs, too. */
  readonly challengeToken: string
  /** Seconds. */
  readonly expiresIn: number
  readonly factors: readonly FactorKind[]
  /** What the browser's API takes; `null` without a passkey. */
  readonly passkey: PasskeyRequest | null
}

export type LoginResult = SessionWithTokens | FactorChallenge

/**
 * Opens a session, or for a user with a second factor returns a challenge to complete the login with. UNAUTHORIZED, with
 * the same message and the same work, for an unknown email, a wrong password and an expired one; RATE_LIMIT_EXCEEDED
 * after too many failures (contract 3). Where single sign-on is required for the email domain, FORBIDDEN
 * (`sso_required`) in place of each UNAUTHORIZED, and for every member who is bound by it.
 */
export async function logIn(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'random' | 'secrets' | 'environment' | 'sessionLimits' | 'factors'>,
  input: Login,
  transact: Transact<LoginResult> = transactOn(parts.db),
): Promise<LoginResult> {
  const email = normalizeEmail(input.email)
  // PostgreSQL text cannot contain a NUL, so no account has such an email.
  const found = email.includes('\0') ? undefined : await findAccount(parts.db, { email })
  const expiresAt = found?.passwordExpiresAt ?? null
  const isUsable = expiresAt === null || expiresAt > parts.clock.now()
  const stored = isUsable ? found?.passwordHash : undefined
  const isUnguessable = isUsable && found?.isOfRecovery
  const attempt = await recordAttempt(parts, { kind: 'password', email, address: input.address, isUnguessable })
  const matches = await passwordMatches(stored, input.password)
  const requirement = await findSsoRequirement(parts.db, email, attempt.at)
  if (!matches || found === undefined || requirement?.bindsMember) {
    await sweepAttempts(parts)
    const refusal = refusalOf(found)
    // The same for every address of the domain: it does not say who has an account, nor whose password was right.
    throw requirement
      ? ssoRequired(refusal)
      : new Failure('UNAUTHORIZED', { message: 'Wrong email or password.', refusal })
  }
  return await transact(async (tx) => {
    const user = { organizationId: found.account.organization.id, userId: found.account.user.id }
    // Again: the work above takes a while, and single sign-on may be required by now.
    await refuseBoundMember(tx, { ...user, email, at: parts.clock.now() })
    if (!(await lockPassword(tx, found))) throw new Failure('UNAUTHORIZED', { message: 'Wrong email or password.' })
    await clearAttempt(tx, attempt)
    const challenge = await challengeFactors(tx, parts, user, 'login')
    if (challenge !== undefined) return challenge
    await rememberAddress(tx, attempt)
    return await openSession(tx, parts, found.account, input.client)
  })
}

/** A challenge to complete a login with, for a user who has a second factor; `undefined` for others. */
export async function challengeFactors(
  tx: Tx,
  parts: Pick<IdentityParts, 'clock' | 'random' | 'secrets' | 'factors'>,
  user: UserKey,
  purpose: 'login' | 'sso_login',
): Promise<FactorChallenge | undefined> {
  const factors = await shareFactors(tx, user)
  if (factors === undefined || factors.length === 0) return undefined
  const challengeToken = await issueChallenge(tx, parts, { purpose, user })
  const passkey = factors.includes('passkey') ? await requestPasskey(tx, parts, user, challengeToken) : null
  return {
    secondFactorRequired: true,
    challengeToken,
    expiresIn: FACTOR_CHALLENGE_LIFETIME_MS / 1_000,
    factors,
    passkey,
  }
}

/**
 * Whether the password is still the one that was checked. A change of the password waits for this transaction, and ends
 * its session with the others; one that came first leaves no session of the old password behind.
 */
async function lockPassword(tx: Tx, { account, passwordHash }: AccountWithPassword): Promise<boolean> {
  const unchanged = await tx
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', account.organization.id)
    .where('id', '=', account.user.id)
    .where('password_hash', '=', passwordHash)
    .where('removed_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return unchanged !== undefined
}

function refusalOf(found: AccountWithPassword | undefined): Refusal {
  if (found === undefined) return { reason: 'unknown_account' }
  const { user, organization } = found.account
  return { reason: 'wrong_password', organizationId: organization.id, actor: { type: 'user', id: user.id } }
}

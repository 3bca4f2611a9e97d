import { type Transact, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { consumeChallenge, issueChallenge } from '../factors/challenges.ts'
import type { FactorParts } from '../factors/check-factor.ts'
import { consumeAssertion } from '../factors/consume-assertion.ts'
import { type PasskeyRequest, requestPasskey } from '../factors/request-passkey.ts'
import { challengeOf, type PasskeyAssertion } from '../factors/webauthn.ts'
import { refuseBoundMember } from '../members/sso-requirement.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { findAccount } from './find-account.ts'
import { openSession, type SessionClient, type SessionWithTokens } from './session.ts'

/** A request for any passkey of this service, before it is known who signs in. */
export async function beginPasskeySignIn(
  parts: FactorParts,
  transact: Transact<PasskeyRequest> = transactOn(parts.db),
): Promise<PasskeyRequest> {
  return await transact(async (tx) => {
    const challenge = await issueChallenge(tx, parts, { purpose: 'sign_in' })
    return await requestPasskey(tx, parts, undefined, challenge)
  })
}

export interface PasskeySignIn {
  readonly passkey: PasskeyAssertion
  readonly client: SessionClient
}

/**
 * Opens a session for the user of a passkey, without a password: the passkey verified its user. UNAUTHORIZED for an
 * unknown passkey, one of a removed member, and a response that is wrong in any way; FORBIDDEN (`sso_required`) for a
 * member who must sign in by single sign-on.
 */
export async function signInWithPasskey(
  parts: FactorParts & Pick<IdentityParts, 'sessionLimits'>,
  { passkey: assertion, client }: PasskeySignIn,
  transact: Transact<SessionWithTokens> = transactOn(parts.db),
): Promise<SessionWithTokens> {
  const refusal = new Failure('UNAUTHORIZED', {
    message: 'The passkey was not accepted.',
    refusal: { reason: 'wrong_passkey' },
  })
  const challenge = challengeOf(assertion.response)
  const isOpen =
    challenge !== undefined && (await consumeChallenge(parts.db, parts, challenge, 'sign_in')) !== undefined
  if (!isOpen) throw refusal
  return await transact(async (tx) => {
    const user = await tx
      .selectFrom('user_passkeys')
      .select(['organization_id as organizationId', 'user_id as userId'])
      .where('credential_id', '=', Buffer.from(assertion.id, 'base64url'))
      .executeTakeFirst()
    const found = user && (await findAccount(tx, user))
    const isSigned = user && (await consumeAssertion(tx, parts, user, { assertion, challenge })) !== undefined
    if (!found || !isSigned) throw refusal
    const now = parts.clock.now()
    await refuseBoundMember(tx, { ...user, email: found.account.user.email, at: now })
    return await openSession(tx, parts, found.account, { ...client, factorVerifiedAt: now })
  })
}

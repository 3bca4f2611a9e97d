import { type Transact, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { attemptOf, rememberAddress } from '../attempts/login-attempts.ts'
import { consumeChallenge, findChallenge } from '../factors/challenges.ts'
import { checkFactor, type FactorParts, type PresentedFactor, proofOf } from '../factors/check-factor.ts'
import { refuseBoundMember } from '../members/sso-requirement.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { findAccount } from './find-account.ts'
import { openSession, type SessionClient, type SessionWithTokens } from './session.ts'

/** How a sign-in began that waits for a second factor. */
const LOGINS = ['login', 'sso_login'] as const

export interface LoginCompletion {
  readonly challengeToken: string
  readonly factor: PresentedFactor
  /** The network of the request. */
  readonly address: string
  readonly client: SessionClient
}

/**
 * Opens the session of a user whose password or single sign-on was right, with a second factor. UNAUTHORIZED
 * (`challenge_expired`) for a challenge that is unknown, consumed or expired, and (`factor_invalid`) for a wrong factor;
 * RATE_LIMIT_EXCEEDED after too many of these. FORBIDDEN (`sso_required`) if the sign-in began with a password and the
 * member must sign in by single sign-on now. A passkey's assertion consumes the challenge even if it is wrong.
 */
export async function completeLogIn(
  parts: FactorParts & Pick<IdentityParts, 'sessionLimits'>,
  { challengeToken, factor, address, client }: LoginCompletion,
  transact: Transact<SessionWithTokens> = transactOn(parts.db),
): Promise<SessionWithTokens> {
  const proof = proofOf(factor, challengeToken)
  const isPasskey = proof.kind === 'passkey'
  const holder = isPasskey
    ? await consumeChallenge(parts.db, parts, challengeToken, ...LOGINS)
    : await findChallenge(parts, challengeToken, ...LOGINS)
  const expired = new Failure('UNAUTHORIZED', {
    message: 'The sign-in has expired or was completed. Sign in again.',
    details: { reason: 'challenge_expired' },
    refusal: { reason: 'login_expired' },
  })
  if (holder?.organizationId == null || holder.userId == null) throw expired
  const user = { organizationId: holder.organizationId, userId: holder.userId }
  const refusal = new Failure('UNAUTHORIZED', {
    message: 'The second factor is wrong or was already used.',
    details: { reason: 'factor_invalid' },
    refusal: {
      reason: 'wrong_second_factor',
      organizationId: user.organizationId,
      actor: { type: 'user', id: user.userId },
    },
  })
  return await checkFactor(
    parts,
    { user, proof, address, refusal },
    async (tx) => {
      if (!isPasskey && (await consumeChallenge(tx, parts, challengeToken, ...LOGINS)) === undefined) throw expired
      const found = await findAccount(tx, user)
      if (found === undefined) throw expired
      const { email } = found.account.user
      if (holder.purpose === 'login') await refuseBoundMember(tx, { ...user, email, at: parts.clock.now() })
      await rememberAddress(tx, attemptOf(parts, { kind: 'password', email, address }))
      return await openSession(tx, parts, found.account, { ...client, factorVerifiedAt: parts.clock.now() })
    },
    transact,
  )
}

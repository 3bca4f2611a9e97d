import { type Transact, transactOn } from '../../database/index.ts'
import { addMilliseconds, Failure } from '../../kernel/index.ts'
import { consumeChallenge, issueChallenge } from '../factors/challenges.ts'
import { checkFactor, type FactorParts, type PresentedFactor, proofOf } from '../factors/check-factor.ts'
import { markVerified } from '../factors/factors-of-user.ts'
import { replaceCookie } from '../factors/replace-cookie.ts'
import { type PasskeyRequest, requestPasskey } from '../factors/request-passkey.ts'
import { challengeOf } from '../factors/webauthn.ts'
import type { UserCredential } from '../shared/credential.ts'

/** A passkey request for a step-up of this session. CONFLICT if the user has no passkey. */
export async function beginStepUp(
  parts: FactorParts,
  actor: UserCredential,
  transact: Transact<PasskeyRequest> = transactOn(parts.db),
): Promise<PasskeyRequest> {
  if (!actor.secondFactor?.kinds.includes('passkey'))
    throw new Failure('CONFLICT', { message: 'You have no passkey.', details: { reason: 'passkey_missing' } })
  const { sessionId } = actor
  return await transact(async (tx) => {
    const challenge = await issueChallenge(tx, parts, { purpose: 'step_up', user: actor, sessionId })
    return await requestPasskey(tx, parts, actor, challenge)
  })
}

export interface StepUp {
  readonly factor: PresentedFactor
  /** The network of the request. */
  readonly address: string
}

export interface SteppedUpSession {
  /** Until when routes that need a step-up accept the session. */
  readonly until: Date
  /** The value of the cookie that replaces the browser's; absent for other clients. */
  readonly cookie: string | undefined
}

/**
 * Verifies a second factor on this session, and gives its browser another cookie. FORBIDDEN
 * (`factor_invalid`) for a wrong factor, RATE_LIMIT_EXCEEDED after too many, CONFLICT (`second_factor_missing`) for a
 * user without one.
 */
export async function stepUp(
  parts: FactorParts,
  actor: UserCredential,
  { factor, address }: StepUp,
  transact: Transact<SteppedUpSession> = transactOn(parts.db),
): Promise<SteppedUpSession> {
  if (actor.secondFactor === undefined) {
    throw new Failure('CONFLICT', {
      message: 'You have no second factor.',
      details: { reason: 'second_factor_missing' },
    })
  }
  const signed = factor.passkey === undefined ? undefined : challengeOf(factor.passkey.response)
  const proof = proofOf(factor, await consumeOwnChallenge(parts, actor, signed))
  const refusal = new Failure('FORBIDDEN', {
    message: 'The second factor is wrong or was already used.',
    details: { reason: 'factor_invalid' },
    refusal: { reason: 'wrong_second_factor' },
  })
  return await checkFactor(
    parts,
    { user: actor, proof, address, refusal },
    async (tx) => ({
      until: addMilliseconds(await markVerified(tx, parts, actor), parts.factors.stepUpMs),
      cookie: await replaceCookie(tx, parts, actor),
    }),
    transact,
  )
}

/** The challenge, if it was issued to this session; consumed either way. */
async function consumeOwnChallenge(
  parts: FactorParts,
  { organizationId, userId, sessionId }: UserCredential,
  challenge: string | undefined,
): Promise<string | undefined> {
  if (challenge === undefined) return undefined
  const holder = await consumeChallenge(parts.db, parts, challenge, 'step_up')
  const isOwn = holder?.organizationId === organizationId && holder.userId === userId && holder.sessionId === sessionId
  return isOwn ? challenge : undefined
}

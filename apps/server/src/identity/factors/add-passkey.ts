import { type Transact, transactOn } from '../../database/index.ts'
import { Failure, PASSKEYS_PER_USER_MAX, validationError } from '../../kernel/index.ts'
import type { UserCredential } from '../shared/credential.ts'
import { validateName } from '../shared/validate-text.ts'
import { type ActivatedFactor, activateFactor } from './activate-factor.ts'
import { consumeChallenge } from './challenges.ts'
import type { FactorParts } from './check-factor.ts'
import { describePasskeys } from './request-passkey.ts'
import { challengeOf, type PasskeyAttestation, verifyAttestation } from './webauthn.ts'

export interface PasskeyRegistration {
  readonly name: string
  readonly passkey: PasskeyAttestation
}

export interface AddedPasskey extends ActivatedFactor {
  readonly id: number
}

/**
 * Stores a passkey that was created for this session's challenge. VALIDATION_ERROR at `passkey` if anything about it is
 * wrong, CONFLICT if it is registered already or the user has ten.
 */
export async function addPasskey(
  parts: FactorParts,
  actor: UserCredential,
  input: PasskeyRegistration,
  transact: Transact<AddedPasskey> = transactOn(parts.db),
): Promise<AddedPasskey> {
  const name = validateName('name', input.name)
  const { organizationId, userId, sessionId } = actor
  const challenge = challengeOf(input.passkey.response)
  const holder = challenge === undefined ? undefined : await consumeChallenge(parts.db, parts, challenge, 'enroll')
  const isOwn = holder?.organizationId === organizationId && holder.userId === userId && holder.sessionId === sessionId
  const created =
    challenge !== undefined && isOwn ? await verifyAttestation(parts.factors, input.passkey, challenge) : undefined
  if (created === undefined) throw validationError('passkey', 'was not created for this session, or is not valid')
  return await transact(async (tx) => {
    let id = 0
    const activated = await activateFactor(tx, parts, actor, async () => {
      refuseTooManyPasskeys((await describePasskeys(tx, actor)).length)
      const stored = await tx
        .insertInto('user_passkeys')
        .values({
          organization_id: organizationId,
          user_id: userId,
          name,
          credential_id: created.credentialId,
          public_key: created.publicKey,
          counter: created.counter,
          transports: input.passkey.response.transports ?? [],
          backed_up: created.isBackedUp,
          created_at: parts.clock.now(),
        })
        .onConflict((conflict) => conflict.column('credential_id').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (stored === undefined) throw new Failure('CONFLICT', { message: 'This passkey is already registered.' })
      id = stored.id
    })
    return { id, ...activated }
  })
}

/** CONFLICT for a user who has as many passkeys as a user may have. */
export function refuseTooManyPasskeys(count: number): void {
  if (count >= PASSKEYS_PER_USER_MAX) {
    throw new Failure('CONFLICT', { message: `You have ${PASSKEYS_PER_USER_MAX} passkeys. Remove one first.` })
  }
}

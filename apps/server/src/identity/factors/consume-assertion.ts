import type { Tx } from '../../database/index.ts'
import type { IdentityParts } from '../shared/parts.ts'
import type { UserKey } from './challenges.ts'
import { type PasskeyAssertion, verifyAssertion } from './webauthn.ts'

export interface SignedChallenge {
  readonly assertion: PasskeyAssertion
  readonly challenge: string
}

/** An assertion that was checked, as others can check it again. */
export interface VerifiedAssertion {
  readonly credentialId: Buffer
  readonly authenticatorData: Buffer
  readonly clientData: Buffer
  readonly signature: Buffer
}

/**
 * Checks an assertion of one of the user's own passkeys over this challenge and stores its counter, which a copy of the
 * passkey would repeat. `undefined` if anything about it is wrong.
 */
export async function consumeAssertion(
  tx: Tx,
  { clock, factors }: Pick<IdentityParts, 'clock' | 'factors'>,
  { organizationId, userId }: UserKey,
  { assertion, challenge }: SignedChallenge,
): Promise<VerifiedAssertion | undefined> {
  const credentialId = Buffer.from(assertion.id, 'base64url')
  const passkey = await tx
    .selectFrom('user_passkeys')
    .select(['id', 'public_key as publicKey', 'counter'])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('credential_id', '=', credentialId)
    .forUpdate()
    .executeTakeFirst()
  if (passkey === undefined) return undefined
  const counter = await verifyAssertion(factors, { credentialId, ...passkey }, assertion, challenge)
  if (counter === undefined) return undefined
  await tx
    .updateTable('user_passkeys')
    .set({ counter, last_used_at: clock.now() })
    .where('organization_id', '=', organizationId)
    .where('id', '=', passkey.id)
    .execute()
  const { authenticatorData, clientDataJSON, signature } = assertion.response
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  return {
    credentialId,
    authenticatorData: bytes(authenticatorData),
    clientData: bytes(clientDataJSON),
    signature: bytes(signature),
  }
}

import { type Transact, transactOn } from '../../database/index.ts'
import { FACTOR_CHALLENGE_LIFETIME_MS } from '../../kernel/index.ts'
import type { UserCredential } from '../shared/credential.ts'
import { refuseTooManyPasskeys } from './add-passkey.ts'
import { issueChallenge } from './challenges.ts'
import type { FactorParts } from './check-factor.ts'
import { describePasskeys, type PasskeyDescriptor } from './request-passkey.ts'
import { type OwnPassword, requireOwnPassword } from './require-own-password.ts'
import { PASSKEY_ALGORITHMS } from './webauthn.ts'

/** WebAuthn's PublicKeyCredentialCreationOptionsJSON. */
export interface PasskeyCreation {
  readonly challenge: string
  readonly rp: { readonly id: string; readonly name: string }
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
  readonly pubKeyCredParams: { readonly type: 'public-key'; readonly alg: number }[]
  readonly timeout: number
  readonly excludeCredentials: PasskeyDescriptor[]
  readonly authenticatorSelection: { readonly residentKey: 'preferred'; readonly userVerification: 'required' }
  readonly attestation: 'none'
}

/**
 * What the browser needs to create a passkey for the user. CONFLICT for a user with ten; the errors of
 * {@link requireOwnPassword}.
 */
export async function beginPasskey(
  parts: FactorParts,
  actor: UserCredential,
  input: OwnPassword,
  transact: Transact<PasskeyCreation> = transactOn(parts.db),
): Promise<PasskeyCreation> {
  await requireOwnPassword(parts, actor, input)
  const { organizationId, userId, sessionId } = actor
  return await transact(async (tx) => {
    const excludeCredentials = await describePasskeys(tx, actor)
    refuseTooManyPasskeys(excludeCredentials.length)
    const user = await tx
      .selectFrom('users')
      .select(['email', 'name'])
      .where('organization_id', '=', organizationId)
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    return {
      challenge: await issueChallenge(tx, parts, { purpose: 'enroll', user: actor, sessionId }),
      rp: { id: parts.factors.relyingPartyId, name: 'Weir' },
      user: {
        id: Buffer.from(`weir ${parts.environment} ${organizationId}/${userId}`).toString('base64url'),
        name: user.email,
        displayName: user.name ?? user.email,
      },
      pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      timeout: FACTOR_CHALLENGE_LIFETIME_MS,
      excludeCredentials,
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      attestation: 'none',
    }
  })
}

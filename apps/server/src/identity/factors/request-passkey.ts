import type { Database, Tx } from '../../database/index.ts'
import { FACTOR_CHALLENGE_LIFETIME_MS } from '../../kernel/index.ts'
import type { IdentityParts } from '../shared/parts.ts'
import type { UserKey } from './challenges.ts'

/** A passkey by its id, as WebAuthn's JSON names it. */
export interface PasskeyDescriptor {
  readonly type: 'public-key'
  /** Base64url. */
  readonly id: string
  readonly transports: string[]
}

/** WebAuthn's PublicKeyCredentialRequestOptionsJSON. */
export interface PasskeyRequest {
  readonly challenge: string
  readonly rpId: string
  readonly timeout: number
  readonly userVerification: 'required'
  /** Empty: any passkey that the authenticator has for this service. */
  readonly allowCredentials: PasskeyDescriptor[]
}

/** What the browser needs to sign `challenge` with one of the user's passkeys; with any passkey if `user` is absent. */
export async function requestPasskey(
  db: Database | Tx,
  { factors }: Pick<IdentityParts, 'factors'>,
  user: UserKey | undefined,
  challenge: string,
): Promise<PasskeyRequest> {
  return {
    challenge,
    rpId: factors.relyingPartyId,
    timeout: FACTOR_CHALLENGE_LIFETIME_MS,
    userVerification: 'required',
    allowCredentials: user === undefined ? [] : await describePasskeys(db, user),
  }
}

/** The ids of the user's passkeys, oldest first. */
export async function describePasskeys(
  db: Database | Tx,
  { organizationId, userId }: UserKey,
): Promise<PasskeyDescriptor[]> {
  const rows = await db
    .selectFrom('user_passkeys')
    .select(['credential_id', 'transports'])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  return rows.map(({ credential_id, transports }) => ({
    type: 'public-key',
    id: credential_id.toString('base64url'),
    transports,
  }))
}

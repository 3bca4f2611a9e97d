import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { FactorSettings } from '../shared/parts.ts'

/** What an authenticator returns for a new passkey, and for the use of one; binary fields in base64url. */
export type PasskeyAttestation = RegistrationResponseJSON
export type PasskeyAssertion = AuthenticationResponseJSON

export interface NewPasskey {
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly isBackedUp: boolean
}

/** The stored part of a passkey that an assertion is checked against. */
export interface StoredPasskey {
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
}

/** COSE: ES256, EdDSA, RS256. */
export const PASSKEY_ALGORITHMS = [-7, -8, -257]

/** Loaded with the first passkey: it is a tenth of what a service loads. */
const webauthn = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

type RelyingParty = Pick<FactorSettings, 'relyingPartyId' | 'origins'>

/**
 * Checks the creation of a passkey: this challenge, an allowed origin and relying party, user verified. `undefined` if
 * any of it is wrong. Attestations are dropped unread: no model of authenticator is trusted more than another, and
 * checking one could fetch addresses that it names.
 */
export async function verifyAttestation(
  { relyingPartyId, origins }: RelyingParty,
  attestation: PasskeyAttestation,
  challenge: string,
): Promise<NewPasskey | undefined> {
  const [{ verifyRegistrationResponse }, tools] = await Promise.all([webauthn(), helpers()])
  try {
    if (isFromForeignFrame(attestation.response.clientDataJSON)) return undefined
    const { registrationInfo } = await verifyRegistrationResponse({
      response: withoutStatement(attestation, tools),
      expectedChallenge: challenge,
      expectedOrigin: [...origins],
      expectedRPID: relyingPartyId,
      requireUserVerification: true,
      supportedAlgorithmIDs: PASSKEY_ALGORITHMS,
    })
    if (registrationInfo === undefined) return undefined
    const { credential, credentialBackedUp } = registrationInfo
    return {
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      isBackedUp: credentialBackedUp,
    }
  } catch {
    return undefined
  }
}

/**
 * Checks an assertion: this passkey and challenge, an allowed origin and relying party, user verified, signature, and a
 * counter above the stored one unless the authenticator keeps none. Returns the new counter; `undefined` if any of it is
 * wrong.
 */
export async function verifyAssertion(
  { relyingPartyId, origins }: RelyingParty,
  passkey: StoredPasskey,
  assertion: PasskeyAssertion,
  challenge: string,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await webauthn()
  try {
    if (isFromForeignFrame(assertion.response.clientDataJSON)) return undefined
    const id = passkey.credentialId.toString('base64url')
    if (assertion.id !== id) return undefined
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: assertion,
      expectedChallenge: challenge,
      expectedOrigin: [...origins],
      expectedRPID: relyingPartyId,
      requireUserVerification: true,
      credential: { id, publicKey: Uint8Array.from(passkey.publicKey), counter: passkey.counter },
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    return undefined
  }
}

/** The challenge that a response claims to be for; `undefined` if it is unreadable. */
export function challengeOf(response: { readonly clientDataJSON: string }): string | undefined {
  const { challenge } = clientDataOf(response.clientDataJSON)
  return typeof challenge === 'string' ? challenge : undefined
}

function isFromForeignFrame(clientDataJSON: string): boolean {
  return clientDataOf(clientDataJSON).crossOrigin === true
}

function clientDataOf(clientDataJSON: string): { readonly challenge?: unknown; readonly crossOrigin?: unknown } {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
    return typeof data === 'object' && data !== null ? data : {}
  } catch {
    return {}
  }
}

function withoutStatement(
  attestation: PasskeyAttestation,
  { decodeAttestationObject, isoBase64URL, isoCBOR }: Awaited<ReturnType<typeof helpers>>,
): PasskeyAttestation {
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestation.response.attestationObject)).get(
    'authData',
  )
  const none = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ])
  const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(none as Parameters<typeof isoCBOR.encode>[0]))
  return { ...attestation, response: { ...attestation.response, attestationObject } }
}

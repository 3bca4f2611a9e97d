import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** What one assertion says; every field can be wrong. */
export interface AssertionOptions {
  readonly relyingPartyId?: string
  readonly origin?: string
  readonly type?: string
  /** User present 1, user verified 4. */
  readonly flags?: number
}

export interface Passkey {
  readonly credentialId: string
  /** COSE key in base64url, as the agent's configuration has it. */
  readonly publicKey: string
  /** Signs a challenge as an authenticator and a browser do together. */
  approve(challenge: string, options?: AssertionOptions): PasskeyAssertion
}

export interface PasskeyAssertion {
  readonly userId: number
  readonly credentialId: string
  readonly authenticatorData: string
  readonly clientDataJSON: string
  readonly signature: string
}

export const RELYING_PARTY = 'weir.example'
export const ORIGIN = 'https://weir.example'

/** A passkey with an ES256 key, in memory. */
export function createPasskey(): Passkey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const coordinate = (label: number, value: string) =>
    Buffer.concat([Buffer.from([label, 0x58, 32]), Buffer.from(value, 'base64url')])
  const cose = Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]),
    coordinate(0x21, x!),
    coordinate(0x22, y!),
  ])
  const credentialId = randomBytes(16).toString('base64url')
  return {
    credentialId,
    publicKey: cose.toString('base64url'),
    approve(challenge, { relyingPartyId = RELYING_PARTY, origin = ORIGIN, type = 'webauthn.get', flags = 5 } = {}) {
      const hash = createHash('sha256').update(relyingPartyId).digest()
      const authenticatorData = Buffer.concat([hash, Buffer.from([flags, 0, 0, 0, 0])])
      const clientData = Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
      const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientData).digest()])
      return {
        userId: 3,
        credentialId,
        authenticatorData: authenticatorData.toString('base64url'),
        clientDataJSON: clientData.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      }
    },
  }
}

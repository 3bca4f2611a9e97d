import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { PasskeyAssertion, PasskeyAttestation } from '../../src/identity/index.ts'

/** What a test changes about a ceremony, to do it wrongly. */
export interface Ceremony {
  readonly challenge: string
  readonly origin?: string
  readonly rpId?: string
  /** Whether the authenticator says that it verified its user. */
  readonly isVerified?: boolean
  readonly isPresent?: boolean
  readonly crossOrigin?: boolean
  readonly type?: string
  /** The signature counter; one more than before if absent. */
  readonly counter?: number
}

/**
 * A passkey in software: makes real responses with an ES256 key, as a browser would return them with `toJSON()`. It
 * obeys, so a test can let it sign what a browser would refuse.
 */
export interface SoftwareAuthenticator {
  readonly credentialId: string
  create(ceremony: Ceremony): PasskeyAttestation
  get(ceremony: Ceremony): PasskeyAssertion
  /** The same key with the same counter, as on a copied device. */
  clone(): SoftwareAuthenticator
}

const ORIGIN = 'http://localhost:3000'
const RP_ID = 'localhost'
const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 }

export function softwareAuthenticator(): SoftwareAuthenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return authenticatorOf({ credentialId: randomBytes(32), privateKey, publicKey }, 0)
}

interface Passkey {
  readonly credentialId: Buffer
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

function authenticatorOf(passkey: Passkey, start: number): SoftwareAuthenticator {
  const { credentialId, privateKey, publicKey } = passkey
  const id = credentialId.toString('base64url')
  let counter = start
  const common = { id, rawId: id, type: 'public-key', clientExtensionResults: {} } as const
  return {
    credentialId: id,
    create(ceremony) {
      counter = ceremony.counter ?? counter + 1
      const attested = Buffer.concat([Buffer.alloc(16), uint16(credentialId.length), credentialId, coseKey(publicKey)])
      const authData = Buffer.concat([authenticatorData(ceremony, counter, FLAGS.attested), attested])
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        cborText('fmt'),
        cborText('none'),
        cborText('attStmt'),
        Buffer.from([0xa0]),
        cborText('authData'),
        cborBytes(authData),
      ])
      const clientDataJSON = clientData(ceremony, 'webauthn.create').toString('base64url')
      return {
        ...common,
        response: {
          clientDataJSON,
          attestationObject: attestationObject.toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    get(ceremony) {
      counter = ceremony.counter ?? counter + 1
      const data = authenticatorData(ceremony, counter, 0)
      const client = clientData(ceremony, 'webauthn.get')
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return {
        ...common,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
        },
      }
    },
    clone: () => authenticatorOf(passkey, counter),
  }
}

function clientData({ challenge, origin = ORIGIN, crossOrigin = false, type }: Ceremony, usual: string): Buffer {
  return Buffer.from(JSON.stringify({ type: type ?? usual, challenge, origin, crossOrigin }))
}

function authenticatorData(
  { rpId = RP_ID, isVerified = true, isPresent = true }: Ceremony,
  counter: number,
  more: number,
): Buffer {
  const flags = (isPresent ? FLAGS.present : 0) | (isVerified ? FLAGS.verified : 0) | more
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), uint32(counter)])
}

/** ES256 in COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coordinate = (text: string) => cborBytes(Buffer.from(text, 'base64url'))
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21])
  return Buffer.concat([head, coordinate(x), Buffer.from([0x22]), coordinate(y)])
}

function cborBytes(bytes: Buffer): Buffer {
  // The shortest form of the length: readers encode the key again to find its end.
  const head =
    bytes.length < 256 ? Buffer.from([0x58, bytes.length]) : Buffer.concat([Buffer.from([0x59]), uint16(bytes.length)])
  return Buffer.concat([head, bytes])
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

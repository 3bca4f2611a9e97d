import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign as signBytes,
} from 'node:crypto'
import { hexToBigInt, toHex } from 'viem'
import { sign as signDigest } from 'viem/accounts'
import { derOf, ORDER } from './der.ts'
import { type FakeServer, startFakeServer } from './fake-server.ts'

interface Key {
  readonly id: string
  readonly spec: string
  readonly privateKey: KeyObject
  enabled: boolean
}

export interface KeyService extends FakeServer {
  readonly keys: Map<string, Key>
  readonly aliases: Map<string, string>
  /** Names of the operations called. */
  readonly calls: string[]
  /** The next call fails with this service error. */
  failNext: string | undefined
}

type Json = Record<string, string>

/**
 * A local stand-in for AWS KMS: the vendor's JSON protocol, both kinds of keys, paginated aliases, and DER signatures,
 * half of them with a high s, as the real service returns them.
 */
export async function startKeyService(): Promise<KeyService> {
  const service = await startFakeServer(async (request, text) => {
    const operation = String(request.headers['x-amz-target']).replace('TrentService.', '')
    state.calls.push(operation)
    const signed = /^AWS4-HMAC-SHA256 Credential=[^/]+\/\d{8}\/eu-central-1\/kms\//.test(
      request.headers.authorization ?? '',
    )
    const refusal = signed ? state.failNext : 'AccessDeniedException'
    state.failNext = undefined
    const answer = refusal === undefined ? await answers(operation, JSON.parse(text) as Json) : refusal
    const failed = typeof answer === 'string'
    return {
      status: failed ? (answer === 'KMSInternalException' ? 500 : 400) : 200,
      headers: { 'content-type': 'application/x-amz-json-1.1' },
      body: JSON.stringify(failed ? { __type: answer, message: 'the stand-in says so' } : answer),
    }
  })
  const state: KeyService = { ...service, keys: new Map(), aliases: new Map(), calls: [], failNext: undefined }

  function find(keyId: string | undefined): Key | undefined {
    return state.keys.get(keyId?.startsWith('alias/') ? (state.aliases.get(keyId) ?? '') : (keyId ?? ''))
  }

  async function answers(operation: string, body: Json): Promise<object | string> {
    if (operation === 'ListAliases') return page(Number(body.Marker ?? 0))
    if (operation === 'CreateKey') return create(body.KeySpec!)
    const key = find(operation === 'CreateAlias' ? body.TargetKeyId : body.KeyId)
    if (key === undefined) return 'NotFoundException'
    if (!key.enabled) return 'DisabledException'
    switch (operation) {
      case 'CreateAlias':
        state.aliases.set(body.AliasName!, key.id)
        return {}
      case 'DescribeKey':
        return { KeyMetadata: { KeyId: key.id } }
      case 'GetPublicKey': {
        const der = createPublicKey(key.privateKey).export({ format: 'der', type: 'spki' })
        return { KeyId: key.id, KeySpec: key.spec, PublicKey: der.toString('base64') }
      }
      case 'Sign':
        return sign(key, body)
      default:
        return 'UnsupportedOperationException'
    }
  }

  /** One alias per page, which forces clients to read several pages. */
  function page(at: number): object {
    const [name, id] = [...state.aliases][at] ?? []
    const more = at + 1 < state.aliases.size
    const found = name === undefined ? [] : [{ AliasName: name, TargetKeyId: id }]
    return { Aliases: found, Truncated: more, ...(more && { NextMarker: String(at + 1) }) }
  }

  function create(spec: string): object {
    const { privateKey } =
      spec === 'ECC_SECG_P256K1'
        ? generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
        : generateKeyPairSync('ed25519')
    const key = { id: randomUUID(), spec, privateKey, enabled: true }
    state.keys.set(key.id, key)
    return { KeyMetadata: { KeyId: key.id } }
  }

  async function sign({ spec, privateKey }: Key, body: Json): Promise<object | string> {
    const message = Buffer.from(body.Message!, 'base64')
    const asked = `${body.MessageType} ${body.SigningAlgorithm}`
    if (spec === 'ECC_NIST_EDWARDS25519') {
      if (asked !== 'RAW ED25519_SHA_512') return 'InvalidKeyUsageException'
      return { Signature: signBytes(null, message, privateKey).toString('base64') }
    }
    if (asked !== 'DIGEST ECDSA_SHA_256' || message.length !== 32) return 'InvalidKeyUsageException'
    const { r, s } = await signDigest({ hash: toHex(message), privateKey: toHex(scalarOf(privateKey)) })
    const low = hexToBigInt(s)
    const der = derOf(hexToBigInt(r), state.calls.length % 2 === 0 ? low : ORDER - low)
    return { Signature: der.toString('base64') }
  }

  return state
}

function scalarOf(key: KeyObject): Buffer {
  const { d } = createPrivateKey(key.export({ format: 'pem', type: 'pkcs8' })).export({ format: 'jwk' })
  return Buffer.from(d!, 'base64url')
}

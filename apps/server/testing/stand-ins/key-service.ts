import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Credentials and region that the stand-in accepts, as the SDK reads them. */
export const KEY_SERVICE_ENV = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'a secret access key',
} as const

export interface KeyService {
  readonly url: string
  /** Names of the operations called. */
  readonly calls: string[]
  /** Encryption contexts of the calls. */
  readonly contexts: Record<string, string>[]
  /** Ids and aliases of keys; a deleted one wraps nothing. */
  readonly keys: Map<string, Buffer>
  /** Every call fails with this service error. */
  failure: string | undefined
  /** Runs before each response. */
  before: (operation: string) => Promise<void>
  close(): Promise<void>
}

type Body = Readonly<Record<string, string>> & { readonly EncryptionContext: Record<string, string> }

/**
 * A local stand-in for the symmetric half of AWS KMS: the vendor's JSON protocol over HTTP, SigV4 verified, data keys
 * wrapped with AES-256-GCM under the encryption context.
 */
export async function startKeyService(...aliases: readonly string[]): Promise<KeyService> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const text = Buffer.concat(parts).toString()
    const operation = String(request.headers['x-amz-target']).replace('TrentService.', '')
    state.calls.push(operation)
    await state.before(operation)
    const result =
      state.failure ?? (isSigned(request, text) ? respond(operation, JSON.parse(text)) : 'InvalidSignatureException')
    const failed = typeof result === 'string'
    response
      .writeHead(failed ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' })
      .end(JSON.stringify(failed ? { __type: result, message: 'the stand-in says so' } : result))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const state: KeyService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    contexts: [],
    keys: new Map(aliases.map((alias) => [alias, randomBytes(32)])),
    failure: undefined,
    before: async () => {},
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  function respond(operation: string, body: Body): object | string {
    state.contexts.push(body.EncryptionContext)
    const key = body.KeyId === undefined ? keyOf(body.CiphertextBlob ?? '') : state.keys.get(body.KeyId)
    if (key === undefined) return 'NotFoundException'
    const arn = `arn:aws:kms:eu-central-1:111122223333:${body.KeyId}`
    const context = Buffer.from(JSON.stringify(Object.entries(body.EncryptionContext).sort()))
    if (operation === 'GenerateDataKey') {
      if (body.KeySpec !== 'AES_256') return 'ValidationException'
      const plain = randomBytes(32)
      const wrapped = wrap(key, plain, context).toString('base64')
      return { KeyId: arn, Plaintext: plain.toString('base64'), CiphertextBlob: wrapped }
    }
    if (operation !== 'Decrypt') return 'UnsupportedOperationException'
    const wrapped = Buffer.from(body.CiphertextBlob!, 'base64')
    if (!fingerprint(key).equals(wrapped.subarray(0, 8))) return 'IncorrectKeyException'
    try {
      return { KeyId: arn, Plaintext: unwrap(key, wrapped, context).toString('base64') }
    } catch {
      return 'InvalidCiphertextException'
    }
  }

  /** Decrypt finds the key itself if the caller names none. */
  function keyOf(blob: string): Buffer | undefined {
    const mark = Buffer.from(blob, 'base64').subarray(0, 8)
    return [...state.keys.values()].find((key) => fingerprint(key).equals(mark))
  }

  return state
}

const fingerprint = (key: Buffer) => createHash('sha256').update(key).digest().subarray(0, 8)

function wrap(key: Buffer, plain: Buffer, context: Buffer): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(context)
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([fingerprint(key), nonce, cipher.getAuthTag(), body])
}

function unwrap(key: Buffer, wrapped: Buffer, context: Buffer): Buffer {
  const cipher = createDecipheriv('aes-256-gcm', key, wrapped.subarray(8, 20)).setAAD(context)
  cipher.setAuthTag(wrapped.subarray(20, 36))
  return Buffer.concat([cipher.update(wrapped.subarray(36)), cipher.final()])
}

/** Signature Version 4, computed from the request as it arrived. */
function isSigned({ method, url, headers }: IncomingMessage, body: string): boolean {
  const form = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^,]+), SignedHeaders=([^,]+), Signature=(\w{64})$/
  const [, keyId, day = '', scope = '', signed = '', signature] = form.exec(headers.authorization ?? '') ?? []
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  const lines = signed.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const canonical = [method, url, '', lines.join(''), signed, hash(body)].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], `${day}/${scope}`, hash(canonical)].join('\n')
  const steps = [day, ...scope.split('/'), toSign]
  const start: string | Buffer = `AWS4${KEY_SERVICE_ENV.AWS_SECRET_ACCESS_KEY}`
  const expected = steps.reduce<string | Buffer>((key, text) => createHmac('sha256', key).update(text).digest(), start)
  const isHere = scope === `${KEY_SERVICE_ENV.AWS_REGION}/kms/aws4_request`
  return isHere && keyId === KEY_SERVICE_ENV.AWS_ACCESS_KEY_ID && Buffer.from(expected).toString('hex') === signature
}

import type { KMSClient } from '@aws-sdk/client-kms'
import { KMS_ATTEMPT_TIMEOUT_MS, KMS_ATTEMPTS_MAX, KMS_CALL_TIMEOUT_MS } from '../kernel/index.ts'
import { type KeyService, KeyServiceError } from './key-service.ts'

export interface AwsKmsOptions {
  /** Ids, ARNs or aliases. The first wraps new data keys; all of them unwrap. */
  readonly keyIds: readonly string[]
  /** Bound into every wrapped key: another installation with the same KMS key cannot unwrap it. */
  readonly installation: string
  /** Undefined: the endpoint of the region. The only address that may be plain http. */
  readonly endpoint: string | undefined
  readonly attemptTimeoutMs?: number
}

/** Errors of a request that KMS understood: it will not use this key, or not for this data key. */
const FINAL = new Set([
  'AccessDeniedException',
  'DisabledException',
  'IncorrectKeyException',
  'InvalidCiphertextException',
  'InvalidKeyUsageException',
  'KMSInvalidStateException',
  'NotFoundException',
])

/**
 * AWS KMS as the key service. The vendor's SDK finds region and credentials as it documents. It is loaded only here:
 * a start without KMS does not pay for it.
 */
export async function connectAwsKms(options: AwsKmsOptions): Promise<KeyService> {
  const { keyIds, installation, endpoint, attemptTimeoutMs = KMS_ATTEMPT_TIMEOUT_MS } = options
  const { DecryptCommand, GenerateDataKeyCommand, KMSClient } = await import('@aws-sdk/client-kms')
  const client = new KMSClient({
    ...(endpoint && { endpoint }),
    maxAttempts: KMS_ATTEMPTS_MAX,
    requestHandler: {
      connectionTimeout: attemptTimeoutMs,
      requestTimeout: attemptTimeoutMs,
      throwOnRequestTimeout: true,
    },
  })
  if (endpoint === undefined) refusePlainHttp(client)
  const contextOf = (id: string) => ({ service: 'weir', installation, key: id })
  const limit = () => ({ abortSignal: AbortSignal.timeout(KMS_CALL_TIMEOUT_MS) })

  return {
    async generate(id) {
      const [keyId] = keyIds
      const { Plaintext, CiphertextBlob, KeyId } = await call(`generate a data key with ${keyId}`, () =>
        client.send(
          new GenerateDataKeyCommand({ KeyId: keyId, KeySpec: 'AES_256', EncryptionContext: contextOf(id) }),
          limit(),
        ),
      )
      if (!CiphertextBlob?.length || !KeyId) throw new KeyServiceError('AWS KMS returned no wrapped data key', false)
      return { key: keyOf(Plaintext), wrapped: Buffer.from(CiphertextBlob), wrappedBy: KeyId }
    },

    /** Names the key that must have wrapped it: a data key that somebody wrapped with a key of theirs is refused. */
    async unwrap(wrapped, id) {
      let refused: unknown
      for (const keyId of keyIds) {
        const input = { KeyId: keyId, CiphertextBlob: wrapped, EncryptionContext: contextOf(id) }
        try {
          const { Plaintext } = await call(`unwrap the data key ${id} with ${keyId}`, () =>
            client.send(new DecryptCommand(input), limit()),
          )
          return keyOf(Plaintext)
        } catch (error) {
          refused = error
          if (!isAnotherKey(error)) throw error
        }
      }
      throw refused
    },
  }
}

/** Data keys cross the link in plain text. An endpoint from elsewhere in the SDK's configuration must use TLS. */
function refusePlainHttp(client: KMSClient): void {
  client.middlewareStack.add(
    (next) => (args) => {
      const { protocol } = args.request as { readonly protocol?: string }
      if (protocol !== 'https:') throw new Error('plain http is accepted in AWS_ENDPOINT_URL_KMS only')
      return next(args)
    },
    { step: 'build', name: 'refusePlainHttp' },
  )
}

async function call<T>(what: string, send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    const isFinal = FINAL.has(name)
    const outcome = isFinal ? 'refused to' : 'could not'
    const sentence = `AWS KMS ${outcome} ${what}: ${name}: ${message}`.replace(/\s+/g, ' ')
    throw Object.assign(new KeyServiceError(sentence, isFinal), { cause: error })
  }
}

function isAnotherKey(error: unknown): boolean {
  return error instanceof KeyServiceError && (error.cause as Error | undefined)?.name === 'IncorrectKeyException'
}

function keyOf(plaintext: Uint8Array = new Uint8Array()): string {
  const key = Buffer.from(plaintext).toString('hex')
  plaintext.fill(0)
  if (!/^[0-9a-f]{64}$/.test(key)) throw new KeyServiceError('AWS KMS returned no 256-bit data key', false)
  return key
}

import { WeirError } from './api-error.ts'
import type { components } from './generated/openapi.ts'

/** What a webhook receives; `event` decides the shape of `data`. */
export type WebhookEvent = components['schemas']['WebhookEvent']

/** A received event with the id of its message, which is the same in every attempt. */
export type ReceivedEvent = WebhookEvent & { readonly id: string }

/**
 * The request was not signed with the secret, was changed on its way, or is too old. Answer with status 400. Its
 * `requestId` is empty, because the client sent no request.
 */
export class WebhookSignatureError extends WeirError {
  constructor(message: string) {
    super(message, '')
  }
}

type HeaderBag = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface UnwrapOptions {
  /** How far the request's time may be from now; 5 minutes by default. */
  readonly toleranceSeconds?: number
  /** The current time in milliseconds since 1970. */
  readonly now?: () => number
}

const TOLERANCE_SECONDS = 300

export interface Webhooks {
  /**
   * Verifies a request (Standard Webhooks) and returns its event. `body` must be the bytes or the text as received, not
   * parsed. The same event may arrive twice: recognize it by `id`. Throws WebhookSignatureError.
   */
  unwrap(body: string | Uint8Array<ArrayBuffer>, headers: HeaderBag, options?: UnwrapOptions): Promise<ReceivedEvent>
}

/** For webhooks with these secrets (`whsec_...`). After a rotation pass the old and the new one. */
export function createWebhooks(...secrets: readonly string[]): Webhooks {
  if (secrets.length === 0) throw new TypeError('a webhook has at least one secret')
  let imported: Promise<CryptoKey[]> | undefined
  const keys = () => {
    imported ??= Promise.all(secrets.map(keyOf))
    return imported
  }
  return {
    async unwrap(body, headers, { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now } = {}) {
      const id = headerOf(headers, 'webhook-id')
      const timestamp = headerOf(headers, 'webhook-timestamp')
      const signatures = headerOf(headers, 'webhook-signature')
      if (!/^\d{1,15}$/.test(timestamp)) throw new WebhookSignatureError('webhook-timestamp is not a time')
      if (Math.abs(now() / 1_000 - Number(timestamp)) > toleranceSeconds)
        throw new WebhookSignatureError('webhook-timestamp is too far from now')
      const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
      const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
      if (!(await isSigned(await keys(), signatures, signed)))
        throw new WebhookSignatureError('webhook-signature does not belong to this request')
      return { ...JSON.parse(new TextDecoder().decode(bytes)), id }
    },
  }
}

async function isSigned(keys: readonly CryptoKey[], signatures: string, signed: Uint8Array<ArrayBuffer>) {
  for (const signature of signatures.split(' ')) {
    const [version, text = ''] = signature.split(',', 2)
    const bytes = version === 'v1' ? fromBase64(text) : undefined
    if (bytes === undefined) continue
    // `verify` compares in constant time.
    for (const key of keys) if (await crypto.subtle.verify('HMAC', key, bytes, signed)) return true
  }
  return false
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''))
  if (bytes === undefined) throw new TypeError('a webhook secret is `whsec_` and base64')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function headerOf(headers: HeaderBag, name: string): string {
  // Not `instanceof`: another library may bring its own Headers.
  const value =
    typeof headers.get === 'function'
      ? (headers as Headers).get(name)
      : [Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]].flat()[0]
  if (!value) throw new WebhookSignatureError(`${name} is missing`)
  return value
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

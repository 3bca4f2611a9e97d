import { Webhook as Signer } from 'standardwebhooks'
import { type Dispatcher, request } from 'undici'
import { WEBHOOK_RESPONSE_BYTES_MAX, WEBHOOK_TIMEOUT_MS } from '../../kernel/index.ts'
import type { AddressRules } from '../guard/address-rules.ts'
import { urlProblem } from '../guard/check-url.ts'
import { describeError } from '../guard/describe-error.ts'

/** One request as it goes to a receiver. */
export interface WebhookRequest {
  readonly url: string
  /** `webhook-id`: the same in every attempt. */
  readonly id: string
  /** When this attempt is made; receivers refuse old ones. */
  readonly at: Date
  /** JSON, to the byte as it is signed. */
  readonly body: string
  /** The newest first; each signs. */
  readonly secrets: readonly string[]
}

/** What became of it: `ok` is any 2xx within 10 seconds (contract 12). */
export interface SendResult {
  readonly ok: boolean
  readonly statusCode: number | null
  /** A sentence; null when it was delivered. */
  readonly error: string | null
  readonly durationMs: number
}

export interface SendParts {
  readonly agent: Dispatcher
  readonly rules: AddressRules
}

/** Signs and sends a message (Standard Webhooks). Never throws: whatever happens is an outcome. */
export async function sendWebhook({ agent, rules }: SendParts, message: WebhookRequest): Promise<SendResult> {
  const began = performance.now()
  const outcome = (ok: boolean, statusCode: number | null, error: string | null): SendResult => {
    return { ok, statusCode, error, durationMs: Math.round(performance.now() - began) }
  }
  // Rules may have become stricter since the webhook was made.
  const problem = urlProblem(rules, message.url)
  if (problem !== undefined) return outcome(false, null, `The URL ${problem}.`)
  try {
    const answer = await request(message.url, {
      dispatcher: agent,
      method: 'POST',
      headers: headersOf(message),
      body: message.body,
      signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
      headersTimeout: WEBHOOK_TIMEOUT_MS,
      bodyTimeout: WEBHOOK_TIMEOUT_MS,
    })
    await drainBody(answer.body)
    const { statusCode } = answer
    if (statusCode >= 200 && statusCode < 300) return outcome(true, statusCode, null)
    const redirects = statusCode >= 300 && statusCode < 400
    return outcome(false, statusCode, redirects ? 'Redirects are not followed.' : `The answer was ${statusCode}.`)
  } catch (error) {
    return outcome(false, null, describeError(error))
  }
}

function headersOf({ id, at, body, secrets }: WebhookRequest): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Weir-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Signer(secret).sign(id, at, body)).join(' '),
  }
}

/**
 * Reads a short answer to its end, so that the connection can be used again; a longer or slower one is cut off. The
 * answer counts as soon as its status is there.
 */
async function drainBody(body: Dispatcher.ResponseData['body']): Promise<void> {
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += (chunk as Buffer).length
      if (bytes > WEBHOOK_RESPONSE_BYTES_MAX) break
    }
  } catch {
    // A body that breaks off changes nothing about the status that came before it.
    body.destroy()
  }
}

import { Webhook as Signer } from 'standardwebhooks'
import { type Dispatcher, request } from 'undici'
import { WEBHOOK_RESPONSE_BYTES_MAX, WEBHOOK_TIMEOUT_MS } from '../../kernel/index.ts'
import type { AddressRules } from '../guard/address-rules.ts'
import { urlProblem } from '../guard/check-url.ts'
import { describeError } from '../guard/describe-error.ts'

/** One request to an endpoint. */
export interface WebhookRequest {
  readonly url: string
  /** `webhook-id`: the same in every attempt. */
  readonly id: string
  /** When the attempt is made; receivers reject old timestamps. */
  readonly at: Date
  /** JSON, exactly as signed. */
  readonly body: string
  /** Newest first; each of them signs. */
  readonly secrets: readonly string[]
  /** Continues the trace of the attempt at the receiver; not signed. */
  readonly traceparent?: string | undefined
}

/** Result of an attempt; `ok` means any 2xx within 10 seconds (contract 12). */
export interface SendResult {
  readonly ok: boolean
  readonly statusCode: number | null
  /** Human-readable reason; null if delivered. */
  readonly error: string | null
  readonly durationMs: number
}

export interface SendParts {
  readonly agent: Dispatcher
  readonly rules: AddressRules
}

/** Signs and sends a message (Standard Webhooks). Never throws: every failure is a result. */
export async function sendWebhook({ agent, rules }: SendParts, message: WebhookRequest): Promise<SendResult> {
  const began = performance.now()
  const outcome = (ok: boolean, statusCode: number | null, error: string | null): SendResult => {
    return { ok, statusCode, error, durationMs: Math.round(performance.now() - began) }
  }
  // The rules may have become stricter since the webhook was created.
  const problem = urlProblem(rules, message.url)
  if (problem !== undefined) return outcome(false, null, `The URL ${problem}.`)
  try {
    const response = await request(message.url, {
      dispatcher: agent,
      method: 'POST',
      headers: headersOf(message),
      body: message.body,
      signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
      headersTimeout: WEBHOOK_TIMEOUT_MS,
      bodyTimeout: WEBHOOK_TIMEOUT_MS,
    })
    await drainBody(response.body)
    const { statusCode } = response
    if (statusCode >= 200 && statusCode < 300) return outcome(true, statusCode, null)
    const redirects = statusCode >= 300 && statusCode < 400
    return outcome(
      false,
      statusCode,
      redirects ? 'Redirects are not followed.' : `The response status was ${statusCode}.`,
    )
  } catch (error) {
    return outcome(false, null, describeError(error))
  }
}

function headersOf({ id, at, body, secrets, traceparent }: WebhookRequest): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Weir-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Signer(secret).sign(id, at, body)).join(' '),
    ...(traceparent && { traceparent }),
  }
}

/**
 * Reads a short response to its end, so that the connection can be reused; a longer or slower one is cut off. The result
 * depends only on the status.
 */
async function drainBody(body: Dispatcher.ResponseData['body']): Promise<void> {
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += (chunk as Buffer).length
      if (bytes > WEBHOOK_RESPONSE_BYTES_MAX) break
    }
  } catch {
    // An incomplete body does not change the status.
    body.destroy()
  }
}

import { createHmac } from 'node:crypto'
import { eventFilter } from './event-filter.ts'
import { UsageError } from './shell.ts'

/** An event as both surfaces stream it. */
export interface StreamedEvent {
  readonly id: number
  readonly event: string
  readonly timestamp: string
  readonly data: unknown
}

export interface Target {
  readonly url: string
  isWanted(event: string): boolean
}

/** How one request to a receiver ended. */
export interface Delivery {
  readonly eventId: number
  readonly event: string
  readonly url: string
  /** Undefined: there was no response. */
  readonly status: number | undefined
  readonly durationMs: number
  /** The beginning of the response's body. */
  readonly body: string | undefined
  readonly error: string | undefined
}

/** As long as the service waits. */
const TIMEOUT_MS = 10_000
const BODY_CHARACTERS = 500

/** `URL`, or `EVENTS=URL` for these events only. */
export function parseTarget(text: string): Target {
  const [, list, address = ''] = /^(?:([\w.*,]+)=)?(https?:\/\/.*)$/.exec(text.trim()) ?? []
  const url = URL.parse(address)
  if (url === null || url.username !== '' || url.password !== '') {
    throw new UsageError(`${text} is not an http address without a user, such as http://127.0.0.1:8080/weir`)
  }
  return { url: url.href, isWanted: eventFilter(list ?? '*') }
}

/**
 * One or more targets in one argument, separated by commas. A comma also separates events, and may be part of an address:
 * only one before the beginning of another target ends an address.
 */
export function parseTargets(text: string): Target[] {
  const list = text.replaceAll(/,\s+/g, ',').trim()
  const [, first = text, others] =
    /^((?:[\w.*,]+=)?https?:\/\/.*?),((?:[a-z*][\w.*,]*=)?https?:\/\/.*)$/.exec(list) ?? []
  return [parseTarget(first), ...(others === undefined ? [] : parseTargets(others))]
}

/** The secret of a listener with this API key: always the same, and useless for anything else. */
export function derivedSecret(apiKey: string): string {
  return `whsec_${createHmac('sha256', apiKey).update('weir listen').digest('base64')}`
}

/** The signature of a request as Standard Webhooks defines it; `at` is in seconds since 1970. */
export function sign(
  secret: string,
  { id, body, at }: { readonly id: string; readonly body: string; readonly at: number },
): string {
  const text = secret.replace(/^whsec_/, '')
  const key = Buffer.from(text, 'base64')
  if (key.length < 24 || key.length > 64 || key.toString('base64').replace(/=+$/, '') !== text.replace(/=+$/, '')) {
    throw new UsageError('WEBHOOK_SECRET must be `whsec_` and 24 to 64 bytes in base64')
  }
  return `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`
}

/** Sends one event as the service delivers it. Redirects are not followed, as the service follows none. */
export async function forward(event: StreamedEvent, url: string, secret: string): Promise<Delivery> {
  const body = JSON.stringify({ event: event.event, timestamp: event.timestamp, data: event.data })
  const id = `evt_${event.id}`
  const at = Math.floor(Date.now() / 1_000)
  const began = performance.now()
  const facts = () => ({
    eventId: event.id,
    event: event.event,
    url,
    durationMs: Math.round(performance.now() - began),
  })
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(at),
        'webhook-signature': sign(secret, { id, body, at }),
      },
      body,
    })
    const answer = await beginningOf(response)
    return { ...facts(), status: response.status, body: answer, error: undefined }
  } catch (error) {
    return { ...facts(), status: undefined, body: undefined, error: reasonOf(error) }
  }
}

/** A receiver may send without end, slowly, or break off: only its status counts. */
async function beginningOf({ body }: Response): Promise<string> {
  if (body === null) return ''
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length >= BODY_CHARACTERS) break
    }
  } catch {
    // What arrived is shown.
  }
  return text.slice(0, BODY_CHARACTERS)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no response within ${TIMEOUT_MS / 1_000} s`
  const cause = error.cause as { code?: string; message?: string } | undefined
  return cause?.code ?? cause?.message ?? error.message
}

import { ApiError, ConnectionError } from './api-error.ts'
import type { CallOptions } from './options.ts'
import type { Transport } from './transport.ts'
import { LONGEST_TIMER_MS, wait } from './wait.ts'

/** One message of an event stream. */
interface Message {
  readonly id: string | undefined
  /** Absent in a message that only says where the stream stands. */
  readonly data: string | undefined
  /** How long to wait before connecting again, if the service says it. */
  readonly retryMs: number | undefined
}

export interface StreamOptions {
  /** Continue after this event. Without it the stream begins with the next event. */
  readonly after?: number
  /**
   * Connect again after so long without a byte; 45 seconds by default, `Infinity` for never. The service sends something
   * every 15 seconds.
   */
  readonly silenceMs?: number
  /** Called each time the stream opens: what happens from then on is yielded. */
  readonly onOpen?: () => void
  readonly signal?: AbortSignal
}

/** Until the service says otherwise. */
const RECONNECT_MS = 2_000
const SILENCE_MS = 45_000
/** Whatever a response asks for: a proxy may answer in place of the service. */
const LONGEST_WAIT_MS = 60_000

/**
 * Yields events until the caller leaves the loop or aborts. A lost connection is opened again after the last event, or
 * where it began if none came, so none is missed. One that went silent counts as lost. A service that is away, behind a
 * proxy that answers in its place or not, is waited for. Throws the error of a response that a retry cannot help, such as
 * API_KEY_DISABLED.
 */
export async function* streamEvents<Event>(
  transport: Transport,
  path: string,
  { after, signal, onOpen, silenceMs = SILENCE_MS }: StreamOptions = {},
): AsyncGenerator<Event> {
  let last = after === undefined ? undefined : String(after)
  let reconnectMs = RECONNECT_MS
  const closed = new AbortController()
  const both = signal ? AbortSignal.any([signal, closed.signal]) : closed.signal
  try {
    for (;;) {
      let retryAfterMs = 0
      const options: CallOptions = { signal: both, ...(last !== undefined && { headers: { 'last-event-id': last } }) }
      try {
        const response = await transport.send(
          { method: 'GET', path, accept: 'text/event-stream', streams: true },
          options,
        )
        onOpen?.()
        for await (const message of messagesOf(response, silenceMs)) {
          last = message.id ?? last
          reconnectMs = message.retryMs ?? reconnectMs
          if (message.data !== undefined) yield JSON.parse(message.data)
        }
      } catch (error) {
        signal?.throwIfAborted()
        if (!isForNow(error)) throw error
        if (error instanceof ApiError) retryAfterMs = error.retryAfterMs ?? 0
      }
      // Clients that lost their streams together must not come back together.
      await wait(Math.min(Math.max(retryAfterMs, reconnectMs), LONGEST_WAIT_MS) * (1 + Math.random() / 2), both)
    }
  } finally {
    closed.abort()
  }
}

/** Whether the stream can be opened again later: the connection was lost, or the service is away or refuses for now. */
function isForNow(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 429 || error.status >= 500
  return error instanceof ConnectionError
}

/**
 * The messages of a stream of server-sent events. Ends with the stream, or when it is silent; throws ConnectionError
 * if the connection is lost.
 */
async function* messagesOf(response: Response, silenceMs: number): AsyncGenerator<Message> {
  let id: string | undefined
  let data: string[] = []
  let retryMs: number | undefined
  for await (const line of linesOf(response, silenceMs)) {
    if (line === '') {
      yield { id, data: data.length > 0 ? data.join('\n') : undefined, retryMs }
      data = []
      continue
    }
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'id') id = value
    if (field === 'data') data.push(value)
    if (field === 'retry' && /^\d{1,7}$/.test(value)) retryMs = Number(value)
  }
}

async function* linesOf({ body, url, headers }: Response, silenceMs: number): AsyncGenerator<string> {
  if (body === null) return
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  const lost = (cause: unknown) => {
    throw new ConnectionError(`The stream of ${url} was lost`, headers.get('x-request-id') ?? '', { cause })
  }
  let rest = ''
  try {
    for (;;) {
      // Browsers never notice that the other end is gone. To cancel ends the read as the end of the stream does.
      const end = () => void reader.cancel().catch(() => undefined)
      const silence = silenceMs > LONGEST_TIMER_MS ? undefined : setTimeout(end, silenceMs)
      const { done, value } = await reader
        .read()
        .catch(lost)
        .finally(() => clearTimeout(silence))
      if (done) return
      const lines = (rest + value).split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop()!
      yield* lines
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

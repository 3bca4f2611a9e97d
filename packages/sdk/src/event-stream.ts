import { ApiError, ConnectionError } from './api-error.ts'
import type { CallOptions } from './options.ts'
import type { Transport } from './transport.ts'
import { wait } from './wait.ts'

/** One message of an event stream. */
interface Message {
  readonly id: string | undefined
  /** Absent in a message that only says where the stream stands. */
  readonly data: string | undefined
}

export interface StreamOptions {
  /** Continue after this event. Without it the stream begins with the next event. */
  readonly after?: number
  readonly signal?: AbortSignal
}

const RECONNECT_MS = 2_000

/**
 * Yields events until the caller leaves the loop or aborts. A lost connection is opened again after the last event, or
 * where it began if none came, so none is missed. A service that is away, behind a proxy that answers in its place or
 * not, is waited for. Throws the error of a response that a retry cannot help, such as API_KEY_DISABLED.
 */
export async function* streamEvents<Event>(
  transport: Transport,
  path: string,
  { after, signal }: StreamOptions = {},
): AsyncGenerator<Event> {
  let last = after === undefined ? undefined : String(after)
  const closed = new AbortController()
  const both = signal ? AbortSignal.any([signal, closed.signal]) : closed.signal
  try {
    for (;;) {
      let waitMs = RECONNECT_MS
      const options: CallOptions = { signal: both, ...(last !== undefined && { headers: { 'last-event-id': last } }) }
      try {
        const response = await transport.send(
          { method: 'GET', path, accept: 'text/event-stream', streams: true },
          options,
        )
        for await (const message of messagesOf(response.body!)) {
          last = message.id ?? last
          if (message.data !== undefined) yield JSON.parse(message.data)
        }
      } catch (error) {
        signal?.throwIfAborted()
        if (!isForNow(error)) throw error
        if (error instanceof ApiError) waitMs = Math.max(waitMs, error.retryAfterMs ?? 0)
      }
      await wait(waitMs, both)
    }
  } finally {
    closed.abort()
  }
}

/** Whether the stream can be opened again later: the connection was lost, or the service is away or refuses for now. */
function isForNow(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 429 || error.status >= 500
  return error instanceof ConnectionError || error instanceof TypeError
}

/** The messages of a stream of server-sent events. Ends with the stream; throws TypeError if the connection is lost. */
async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  let id: string | undefined
  let data: string[] = []
  for await (const line of linesOf(body)) {
    if (line === '') {
      yield { id, data: data.length > 0 ? data.join('\n') : undefined }
      data = []
      continue
    }
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'id') id = value
    if (field === 'data') data.push(value)
  }
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + value).split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop()!
      yield* lines
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

import { ApiError, ConnectionError } from './api-error.ts'
import type { CallOptions } from './options.ts'
import type { Transport } from './transport.ts'
import { wait } from './wait.ts'

/** One message of an event stream. */
interface Message {
  readonly id: string | undefined
  readonly data: string
}

export interface StreamOptions {
  /** Continue after this event. Without it the stream begins with the next event. */
  readonly after?: number
  readonly signal?: AbortSignal
}

const RECONNECT_MS = 2_000

/**
 * Yields events until the caller leaves the loop or aborts. A lost connection is opened again after the last event, so
 * none is missed. Throws the error of a response that a retry cannot help, such as API_KEY_DISABLED.
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
      const options: CallOptions = { signal: both, ...(last !== undefined && { headers: { 'last-event-id': last } }) }
      try {
        const response = await transport.send(
          { method: 'GET', path, accept: 'text/event-stream', streams: true },
          options,
        )
        for await (const message of messagesOf(response.body!)) {
          last = message.id ?? last
          yield JSON.parse(message.data)
        }
      } catch (error) {
        signal?.throwIfAborted()
        if (error instanceof ApiError) throw error
        if (!(error instanceof ConnectionError || error instanceof TypeError)) throw error
      }
      await wait(RECONNECT_MS, both)
    }
  } finally {
    closed.abort()
  }
}

/** The messages of a stream of server-sent events. Ends with the stream; throws TypeError if the connection is lost. */
async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  let id: string | undefined
  let data: string[] = []
  for await (const line of linesOf(body)) {
    if (line === '') {
      if (data.length > 0) yield { id, data: data.join('\n') }
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

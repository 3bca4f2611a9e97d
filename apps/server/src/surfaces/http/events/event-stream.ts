import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  EVENT_STREAM_HEARTBEAT_MS,
  EVENT_STREAM_RECONNECT_MS,
  EVENT_STREAMS_PER_CREDENTIAL_MAX,
  EVENT_STREAMS_PER_ORGANIZATION_MAX,
  Failure,
  LIST_LIMIT_MAX,
  validationError,
} from '../../../kernel/index.ts'
import {
  type EventFeed,
  type EventReader,
  listEvents,
  newestEvent,
  type PublishedEvent,
} from '../../../webhooks/index.ts'
import { onResponseClosed } from '../responses/on-response-closed.ts'
import { OpenResponses } from '../responses/open-responses.ts'
import { eventScopeOf } from './event-scope.ts'

export interface EventStreamParts extends EventReader {
  readonly feed: EventFeed
}

/** Open streams in this process. */
const open = new OpenResponses({
  perOrganization: EVENT_STREAMS_PER_ORGANIZATION_MAX,
  perCredential: EVENT_STREAMS_PER_CREDENTIAL_MAX,
})

const FULL = {
  credential: `A key, user or service account can have at most ${EVENT_STREAMS_PER_CREDENTIAL_MAX} open streams.`,
  organization: `An organization can have at most ${EVENT_STREAMS_PER_ORGANIZATION_MAX} open streams.`,
} as const

/** Takes a stream until the response closes. Error: RATE_LIMIT_EXCEEDED. */
function takeStream({ credential }: FastifyRequest, reply: FastifyReply): void {
  const full = open.take(credential, reply)
  if (full === undefined) return
  // A stream whose client is gone ends at the next heartbeat.
  const details = { retryAfterSeconds: EVENT_STREAM_HEARTBEAT_MS / 1_000 }
  throw new Failure('RATE_LIMIT_EXCEEDED', { message: FULL[full], details })
}

export function acceptsEventStream(request: FastifyRequest): boolean {
  return /\btext\/event-stream\b/i.test(request.headers.accept ?? '')
}

/**
 * Responds with server-sent events: those after `Last-Event-ID` or `after`, or new ones if neither is sent. The stream
 * ends when the client disconnects or takes nothing for a minute, the service stops (contract 2), or the credential is no
 * longer valid. The credential is checked before every page: a client that reads slowly takes long for many.
 */
export async function streamEvents(
  { db, events, log, feed }: EventStreamParts,
  request: FastifyRequest,
  reply: FastifyReply,
  after: number | undefined,
): Promise<FastifyReply> {
  const scope = eventScopeOf(request.credential)
  const { organizationId } = scope
  // Counted before the first await: streams that open at once each see the others.
  takeStream(request, reply)
  const cursor = lastEventId(request) ?? after ?? (await newestEvent(db, scope))
  const closed = new AbortController()
  const end = () => closed.abort()
  request.stopping.addEventListener('abort', end)
  onResponseClosed(reply, () => {
    request.stopping.removeEventListener('abort', end)
    end()
  })
  if (request.stopping.aborted) end()

  async function* frames(): AsyncGenerator<string> {
    const subscription = feed.subscribe(organizationId)
    try {
      let last = cursor
      // Where the stream begins: a client that loses it before the first event continues from here.
      yield `retry: ${EVENT_STREAM_RECONNECT_MS}\nid: ${cursor ?? 0}\n\n`
      while (!closed.signal.aborted) {
        const wakeup = await subscription.waitForEvents(closed.signal, EVENT_STREAM_HEARTBEAT_MS)
        for (let more = true; more; ) {
          if (closed.signal.aborted || !(await isStillAuthorized(request))) return
          if (wakeup === 'quiet') {
            yield ': still here\n\n'
            break
          }
          const page = await listEvents({ db, events, log }, scope, { after: last, limit: LIST_LIMIT_MAX })
          if (page.isMissing) yield `: events after ${last} were deleted because of their age\n\n`
          for (const event of page.events) yield frameOf(event)
          last = page.cursor
          more = page.hasMore
        }
      }
    } finally {
      subscription.unsubscribe()
    }
  }

  return (
    reply
      .code(200)
      .type('text/event-stream; charset=utf-8')
      .header('x-accel-buffering', 'no')
      // A kept-alive connection would only delay a shutdown.
      .header('connection', 'close')
      .send(Readable.from(frames(), { objectMode: false }))
  )
}

/** The last event that a reconnecting client received. Error: VALIDATION_ERROR. */
function lastEventId(request: FastifyRequest): number | undefined {
  const header = request.headers['last-event-id']
  if (header === undefined || header === '') return undefined
  const id = /^[0-9]{1,16}$/.test(String(header)) ? Number(header) : Number.NaN
  if (!Number.isSafeInteger(id)) throw validationError('Last-Event-ID', 'must be the id of an event')
  return id
}

/** A deleted key or an ended session receives no further events (contract 3). */
async function isStillAuthorized(request: FastifyRequest): Promise<boolean> {
  try {
    await request.authenticateAgain()
    return true
  } catch (error) {
    // A reconnecting client gets the error. If the database is unavailable, the stream ends too.
    request.log.debug({ err: error }, 'event stream closed')
    return false
  }
}

/** One event in the server-sent events format (HTML standard). JSON has no line breaks outside strings. */
function frameOf({ id, ...payload }: PublishedEvent): string {
  return `id: ${id}\nevent: ${payload.event}\ndata: ${onOneLine(JSON.stringify({ id, ...payload }))}\n\n`
}

/** JSON does not escape these three characters, and many clients, such as Python's, treat them as line ends. */
function onOneLine(json: string): string {
  return json.replaceAll(/[\u0085\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

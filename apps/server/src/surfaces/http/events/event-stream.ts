import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../../database/index.ts'
import { scopeOf } from '../../../identity/index.ts'
import {
  EVENT_STREAM_HEARTBEAT_MS,
  EVENT_STREAMS_PER_ORGANIZATION_MAX,
  Failure,
  LIST_LIMIT_MAX,
  validationError,
} from '../../../kernel/index.ts'
import { type EventFeed, listEvents, newestEvent, type PublishedEvent } from '../../../webhooks/index.ts'
import type { CredentialAuthenticator } from '../pipeline/app.ts'

export interface EventStreamParts {
  readonly db: Database
  readonly feed: EventFeed
  readonly authenticate: CredentialAuthenticator
}

/** How long a client waits before it comes back; told at the beginning of a stream. */
const RECONNECT_MS = 2_000

/** Streams that are open in this process, by organization. */
const open = new Map<number, number>()

export function acceptsEventStream(request: FastifyRequest): boolean {
  return /\btext\/event-stream\b/i.test(request.headers.accept ?? '')
}

/**
 * Answers with server-sent events: what came after `after` or `Last-Event-ID`, or else what comes from now on. It ends
 * when the client goes, the service stops (contract 2), or the credential holds no more, which is asked again before
 * anything is sent.
 */
export async function streamEvents(
  { db, feed, authenticate }: EventStreamParts,
  request: FastifyRequest,
  reply: FastifyReply,
  after: number | undefined,
): Promise<FastifyReply> {
  const scope = scopeOf(request.credential)
  const { organizationId } = scope
  const count = open.get(organizationId) ?? 0
  if (count >= EVENT_STREAMS_PER_ORGANIZATION_MAX) {
    const message = `An organization has at most ${EVENT_STREAMS_PER_ORGANIZATION_MAX} streams open.`
    throw new Failure('RATE_LIMIT_EXCEEDED', { message })
  }
  const cursor = lastEventId(request) ?? after ?? (await newestEvent(db, scope))
  const gone = new AbortController()
  const end = () => gone.abort()
  request.stopping.addEventListener('abort', end)
  reply.raw.on('close', end)
  if (request.stopping.aborted) end()
  open.set(organizationId, count + 1)

  async function* frames(): AsyncGenerator<string> {
    const following = feed.subscribe(organizationId)
    try {
      let last = cursor
      yield `retry: ${RECONNECT_MS}\n\n`
      while (!gone.signal.aborted) {
        const news = await following.waitForEvents(gone.signal, EVENT_STREAM_HEARTBEAT_MS)
        if (gone.signal.aborted || !(await isStillAuthorized(authenticate, request))) return
        if (news === 'quiet') yield ': still here\n\n'
        for (let more = news === 'new'; more; ) {
          const page = await listEvents(db, scope, { after: last, limit: LIST_LIMIT_MAX })
          for (const event of page.events) yield frameOf(event)
          last = page.cursor
          more = page.hasMore && !gone.signal.aborted
        }
      }
    } finally {
      following.unsubscribe()
      request.stopping.removeEventListener('abort', end)
      const left = (open.get(organizationId) ?? 1) - 1
      if (left > 0) open.set(organizationId, left)
      else open.delete(organizationId)
    }
  }

  return (
    reply
      .code(200)
      .type('text/event-stream; charset=utf-8')
      .header('x-accel-buffering', 'no')
      // It would only wait for another request, and hold a stop up.
      .header('connection', 'close')
      .send(Readable.from(frames(), { objectMode: false }))
  )
}

/** What a client saw last, as it says when it comes back. Error: VALIDATION_ERROR. */
function lastEventId(request: FastifyRequest): number | undefined {
  const header = request.headers['last-event-id']
  if (header === undefined || header === '') return undefined
  const id = /^[0-9]{1,16}$/.test(String(header)) ? Number(header) : Number.NaN
  if (!Number.isSafeInteger(id)) throw validationError('Last-Event-ID', 'must be the id of an event')
  return id
}

/** A key that was deleted, and a session that ended, get nothing more (contract 3). */
async function isStillAuthorized(authenticate: CredentialAuthenticator, request: FastifyRequest): Promise<boolean> {
  try {
    if (request.credential.kind === 'key') await authenticate.key(String(request.headers['x-api-key']).trim())
    else
      await authenticate.bearer(
        String(request.headers.authorization)
          .replace(/^Bearer\s+/i, '')
          .trim(),
      )
    return true
  } catch (error) {
    // Whoever comes back is told why; a database that cannot be asked is no reason to go on.
    request.log.debug({ err: error }, 'a stream of events ends')
    return false
  }
}

/** One event (the HTML standard, server-sent events): JSON has no line breaks outside of its texts. */
function frameOf({ id, ...told }: PublishedEvent): string {
  return `id: ${id}\nevent: ${told.event}\ndata: ${onOneLine(JSON.stringify({ id, ...told }))}\n\n`
}

/** JSON leaves these three as they are, and many clients, those of Python say, end a line at them. */
function onOneLine(json: string): string {
  return json.replaceAll(/[\u0085\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

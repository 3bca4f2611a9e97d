import { createHash, createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { scopeOf } from '../../../identity/index.ts'
import {
  Failure,
  IDEMPOTENCY_KEY_LENGTH_MAX,
  IDEMPOTENCY_WAIT_MS,
  randomBase62,
  validationError,
} from '../../../kernel/index.ts'
import { clientNetworkDigest } from '../limits/enforce-rate-limit.ts'
import type { App, ServerOptions } from '../pipeline/app.ts'
import { rawBodyOf } from '../pipeline/raw-body.ts'
import {
  type ClaimResult,
  claimKey,
  type IdempotentRequest,
  releaseClaim,
  storeResponse,
  storeResponseOrFail,
} from './claims.ts'
import type { ResponseRecorder } from './record-response.ts'
import { redactFields, serializerOf } from './response-body.ts'

type Parts = Pick<ServerOptions, 'db' | 'clock' | 'random' | 'idempotencyWaitMs' | 'bodySecret'>

/** What a request that holds a claim remembers until it is answered. */
interface ClaimedRequest {
  readonly request: IdempotentRequest
  readonly redact: (text: string) => string
  /** The status that the verb's transaction kept; it holds if that transaction committed. */
  recordedStatus: number | undefined
}

/**
 * Honours `Idempotency-Key` on the routes that say so (contract 5): the first request claims the key, later ones get
 * its answer again. Registered before the body is judged, because a replay needs no valid body.
 */
export function registerIdempotency(app: App, parts: Parts): void {
  const claims = new WeakMap<FastifyRequest, ClaimedRequest>()

  const claim = async (request: FastifyRequest, reply: FastifyReply, header: unknown): Promise<unknown> => {
    const { config } = request.routeOptions
    const keyed = idempotentRequestOf(parts, request, String(header), randomBase62(parts.random, 22))
    const found = await claimOrWait(parts, keyed, request.stopping)
    if (found.kind === 'answered') return replay(found, request, reply)
    if (found.kind !== 'claimed') throw conflict(found)
    const hidden = config.idempotent === 'secret' ? (config.secretFields ?? []) : []
    const claimed: ClaimedRequest = {
      request: keyed,
      redact: (text) => redactFields(text, hidden),
      recordedStatus: undefined,
    }
    claims.set(request, claimed)
    request.record = recorderOf(claimed, reply)
    return undefined
  }

  const keep = async (claimed: ClaimedRequest, request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    try {
      if (isReplayable(reply.statusCode))
        await storeResponse(
          parts.db,
          claimed.request,
          reply.statusCode,
          claimed.redact(typeof payload === 'string' ? payload : ''),
        )
      else await releaseClaim(parts.db, claimed.request)
    } catch (error) {
      // The answer is right all the same; the claim's lease ends by itself, and the key is then free or answered.
      request.log.warn({ err: error }, 'the answer to an idempotent request could not be kept')
    }
    return payload
  }

  app.addHook('preValidation', (request, reply, done) => {
    const header = request.headers['idempotency-key']
    if (request.routeOptions.config.idempotent !== undefined && header !== undefined)
      return claim(request, reply, header)
    return done()
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    const claimed = claims.get(request)
    if (claimed !== undefined && claimed.recordedStatus !== reply.statusCode)
      return keep(claimed, request, reply, payload)
    return done(null, payload)
  })
}

/** 2xx, and the refusals that would be the same again; never what depends on the moment or on us (contract 5). */
function isReplayable(status: number): boolean {
  if (status >= 200 && status < 300) return true
  return status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status)
}

function recorderOf(claimed: ClaimedRequest, reply: FastifyReply): ResponseRecorder {
  return {
    async record(tx, status, body) {
      await storeResponseOrFail(tx, claimed.request, status, claimed.redact(serializerOf(reply, status)(body)))
      claimed.recordedStatus = status
    },
  }
}

/**
 * The scope of a key is the organization; who sees one profile of it only is shown no other's answer. Where there is no
 * organization yet (register, login, refresh) it is the route and the caller's address, under organization 0, so that
 * strangers cannot meet; the key is stored as a digest there.
 *
 * Bodies carry account numbers and passwords, which are short enough to be tried one after the other against a plain hash
 * of everything else that is known. So their hash is keyed: with the service's secret, or where there is no organization
 * with the idempotency key itself.
 */
function idempotentRequestOf(
  { bodySecret }: Parts,
  request: FastifyRequest,
  key: string,
  claim: string,
): IdempotentRequest {
  if (key === '' || key.length > IDEMPOTENCY_KEY_LENGTH_MAX)
    throw validationError('Idempotency-Key', `must have 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} characters`)
  const bytes = rawBodyOf(request)
  const said = bytes.length === 0 ? '{}' : bytes
  const same = { method: request.method, path: request.url, claim }
  const owner = request.presented
  if (owner !== undefined) {
    const bodyHash = createHmac('sha256', bodySecret).update('idempotent body\n').update(said).digest()
    return { ...same, ...scopeOf(owner), key, bodyHash }
  }
  const scope = `${request.routeOptions.url ?? ''} ${clientNetworkDigest(request)}`
  const digest = createHash('sha256').update(`${scope} ${key}`).digest('base64url')
  return {
    ...same,
    organizationId: 0,
    walletProfileId: null,
    key: `open:${digest}`,
    bodyHash: createHmac('sha256', key).update(said).digest(),
  }
}

/** Claims the key; while another request holds it, looks again for up to five seconds. */
async function claimOrWait(parts: Parts, keyed: IdempotentRequest, stopping: AbortSignal): Promise<ClaimResult> {
  const deadline = performance.now() + (parts.idempotencyWaitMs ?? IDEMPOTENCY_WAIT_MS)
  for (let wait = 10; ; wait = Math.min(wait * 2, 250)) {
    const found = await claimKey(parts.db, keyed, parts.clock.now())
    if (found.kind !== 'running' || stopping.aborted || performance.now() >= deadline) return found
    await pause(wait)
  }
}

function conflict(found: ClaimResult): Failure {
  const message =
    found.kind === 'different'
      ? 'The idempotency key was used for another request.'
      : 'A request with this idempotency key is still running.'
  return new Failure('IDEMPOTENCY_CONFLICT', { message })
}

/** Sends the kept answer again; an error's request id is that of this request, as everywhere (contract 4). */
async function replay(
  found: { status: number; body: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { reread } = request.routeOptions.config
  let body = found.status < 400 || found.body === '' ? found.body : withRequestId(found.body, request.id)
  if (reread && found.status < 300) {
    body = serializerOf(reply, found.status)(await reread(request, JSON.parse(found.body)))
  }
  return reply
    .code(found.status)
    .header('Idempotency-Replayed', 'true')
    .type('application/json; charset=utf-8')
    .serializer((text) => String(text))
    .send(body)
}

function withRequestId(body: string, requestId: string): string {
  return JSON.stringify({ ...JSON.parse(body), requestId })
}

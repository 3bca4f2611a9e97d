import { createHash, createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createOutageReporter, isDatabaseUnavailable } from '../../../database/index.ts'
import { scopeOf } from '../../../identity/index.ts'
import {
  createOutageLogs,
  currentKey,
  Failure,
  IDEMPOTENCY_KEY_LENGTH_MAX,
  IDEMPOTENCY_RENEWAL_MS,
  IDEMPOTENCY_WAIT_MS,
  randomBase62,
  ringOf,
  validationError,
} from '../../../kernel/index.ts'
import type { App, ServerOptions } from '../app.ts'
import { clientNetworkDigest } from '../limits/enforce-rate-limit.ts'
import type { ResponseRecorder } from '../responses/record-response.ts'
import { rawBodyOf } from '../validation/raw-body.ts'
import {
  type ClaimResult,
  claimKey,
  type IdempotentRequest,
  releaseClaim,
  renewClaims,
  storeResponse,
  storeResponseOrFail,
} from './claims.ts'
import { redactFields, serializerOf } from './response-body.ts'
import { openResponse, sealResponse } from './sealed-response.ts'

type IdempotencyParts = Pick<
  ServerOptions,
  'db' | 'clock' | 'random' | 'log' | 'idempotencyWaitMs' | 'bodySecret' | 'responseSealer'
>

/** A request that holds a claim, until its response is sent. */
interface ClaimedRequest {
  readonly request: IdempotentRequest
  /** Without its secret fields, and sealed. */
  readonly conceal: (text: string) => string | Buffer
  /** The status stored in the verb's transaction; valid only if that transaction committed. */
  recordedStatus: number | undefined
}

/**
 * Handles `Idempotency-Key` on routes that declare it (contract 5): the first request claims the key, later ones replay
 * its response. Registered before body validation, because a replay does not need a valid body.
 */
export function registerIdempotency(app: App, parts: IdempotencyParts): void {
  const claims = new WeakMap<FastifyRequest, ClaimedRequest>()
  const renewal = renewWhileRunning(parts)
  app.addHook('onClose', async () => renewal.stop())

  const claim = async (request: FastifyRequest, reply: FastifyReply, header: unknown): Promise<unknown> => {
    const { config } = request.routeOptions
    const keyed = idempotentRequestOf(parts, request, String(header), randomBase62(parts.random, 22))
    const found = await claimOrWait(parts, keyed, request.stopping)
    if (found.kind !== 'claimed') await request.requireFreshCredential()
    if (found.kind === 'answered')
      return replay({ ...found, body: openResponse(parts, keyed, found.body) }, request, reply)
    if (found.kind !== 'claimed') throw conflict(found, reply)
    const hidden = config.idempotent === 'secret' ? (config.secretFields ?? []) : []
    const claimed: ClaimedRequest = {
      request: keyed,
      conceal: (text) => sealResponse(parts, keyed, redactFields(text, hidden)),
      recordedStatus: undefined,
    }
    claims.set(request, claimed)
    renewal.add(keyed)
    request.record = recorderOf(claimed, reply)
    return undefined
  }

  const storeOrRelease = async (
    claimed: ClaimedRequest,
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
  ) => {
    try {
      if (isReplayable(reply.statusCode))
        await storeResponse(
          parts.db,
          claimed.request,
          reply.statusCode,
          claimed.conceal(typeof payload === 'string' ? payload : ''),
        )
      else await releaseClaim(parts.db, claimed.request)
    } catch (error) {
      // The response is still correct. Once the claim's lease ends, the key is free or has a stored response.
      const level = isDatabaseUnavailable(error) ? 'debug' : 'warn'
      request.log[level]({ err: error }, 'failed to store the response of an idempotent request')
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
    if (claimed !== undefined) renewal.delete(claimed.request)
    if (claimed !== undefined && claimed.recordedStatus !== reply.statusCode)
      return storeOrRelease(claimed, request, reply, payload)
    return done(null, payload)
  })
}

/** 2xx and permanent client errors; not errors that depend on the moment or the server (contract 5). */
function isReplayable(status: number): boolean {
  if (status >= 200 && status < 300) return true
  return status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status)
}

function recorderOf(claimed: ClaimedRequest, reply: FastifyReply): ResponseRecorder {
  return {
    async record(tx, status, body) {
      await storeResponseOrFail(tx, claimed.request, status, claimed.conceal(serializerOf(reply, status)(body)))
      claimed.recordedStatus = status
    },
  }
}

/**
 * A key is scoped to the organization, and where users decide, another user's request differs; a caller limited to one profile never gets another profile's response. Where
 * there is no organization yet (register, login, refresh), the scope is the route and the caller's address, under
 * organization 0, so that callers cannot collide; the key is then stored as a digest.
 *
 * Bodies carry account numbers and passwords, which are short enough to brute-force from a plain hash when everything
 * else is known. So the hash is keyed: with the service's secret, or without an organization with the idempotency key.
 */
function idempotentRequestOf(
  { bodySecret }: IdempotencyParts,
  request: FastifyRequest,
  key: string,
  claim: string,
): IdempotentRequest {
  if (key === '' || key.length > IDEMPOTENCY_KEY_LENGTH_MAX)
    throw validationError('Idempotency-Key', `must have 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} characters`)
  const bytes = rawBodyOf(request)
  const body = bytes.length === 0 ? '{}' : bytes
  const same = { method: request.method, path: request.url, claim }
  const owner = request.presented
  if (owner !== undefined) {
    // The same body means another thing when it completes a change request.
    const changeRequest = request.headers['change-request-id'] ?? ''
    const of = [
      ...(changeRequest === '' ? [] : [`change ${changeRequest}`]),
      // Where a decision counts for one user, a replay would pass another user's off as recorded.
      ...(request.routeOptions.config.idempotentByUser && owner.kind === 'user' ? [`user ${owner.userId}`] : []),
    ]
    const label = of.length === 0 ? 'idempotent body\n' : `idempotent body of ${of.join(' and ')}\n`
    const ring = ringOf(bodySecret)
    const hashWith = (secret: string) => createHmac('sha256', secret).update(label).update(body).digest()
    const older = [...ring.keys].filter(([id]) => id !== ring.currentId)
    return {
      ...same,
      ...scopeOf(owner),
      key,
      bodyHash: hashWith(currentKey(ring)),
      olderBodyHashes: older.map(([, secret]) => hashWith(secret)),
    }
  }
  const scope = `${request.routeOptions.url ?? ''} ${clientNetworkDigest(request)}`
  const digest = createHash('sha256').update(`${scope} ${key}`).digest('base64url')
  return {
    ...same,
    organizationId: 0,
    walletProfileId: null,
    key: `open:${digest}`,
    bodyHash: createHmac('sha256', key).update(body).digest(),
    olderBodyHashes: [],
  }
}

/** Claims the key. While another request holds it, retries for up to five seconds. */
async function claimOrWait(
  parts: IdempotencyParts,
  keyed: IdempotentRequest,
  stopping: AbortSignal,
): Promise<ClaimResult> {
  const deadline = performance.now() + (parts.idempotencyWaitMs ?? IDEMPOTENCY_WAIT_MS)
  for (let wait = 10; ; wait = Math.min(wait * 2, 250)) {
    const found = await claimKey(parts.db, keyed, parts.clock.now())
    if (found.kind !== 'running' || stopping.aborted || performance.now() >= deadline) return found
    await pause(wait)
  }
}

function conflict(found: ClaimResult, reply: FastifyReply): Failure {
  if (found.kind === 'different')
    return new Failure('IDEMPOTENCY_CONFLICT', {
      message: 'The idempotency key was used for another request.',
      details: { reason: 'different_request' },
    })
  reply.header('Retry-After', 1)
  return new Failure('IDEMPOTENCY_CONFLICT', {
    message: 'A request with this idempotency key is still running.',
    details: { reason: 'request_in_progress' },
  })
}

/**
 * Renews the claims of requests that take longer than a moment. A claim ends seconds after its process died, was frozen
 * or was cut off, and a repetition takes it over.
 */
function renewWhileRunning({ db, clock, log }: Pick<IdempotencyParts, 'db' | 'clock' | 'log'>) {
  /** Whether each request was already running at the last round. */
  const running = new Map<IdempotentRequest, boolean>()
  let timer: NodeJS.Timeout | undefined
  let renewing = false
  const outages = createOutageReporter(log, 'claims of idempotency keys')
  const failures = createOutageLogs(log, {
    away: 'failed to renew claims of idempotency keys',
    back: 'claims of idempotency keys are renewed again',
  })

  async function renew(): Promise<void> {
    const long = [...running].flatMap(([request, isOld]) => (isOld ? [request] : []))
    for (const request of running.keys()) running.set(request, true)
    if (long.length === 0 || renewing) return
    renewing = true
    try {
      await renewClaims(db, long, clock.now())
      outages.reportRecovery()
      failures.recovered({})
    } catch (error) {
      if (!outages.reportFailure(error)) failures.failed({}, { err: error })
    }
    renewing = false
  }

  return {
    add(request: IdempotentRequest) {
      running.set(request, false)
      timer ??= setInterval(() => void renew(), IDEMPOTENCY_RENEWAL_MS).unref()
    },
    delete(request: IdempotentRequest) {
      running.delete(request)
    },
    stop: () => clearInterval(timer),
  }
}

/** Replays the stored response. An error carries the request id of the current request (contract 4). */
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

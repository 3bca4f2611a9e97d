import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { transactOn } from '../../../database/index.ts'
import {
  assert,
  Failure,
  MAX_BODY_BYTES,
  ORGANIZATION_RATE_LIMIT,
  PATH_PARAMETER_LENGTH_MAX,
  REQUEST_ARRIVAL_TIMEOUT_MS,
  SLOW_REQUESTS_CHECK_MS,
  TLS_HANDSHAKE_TIMEOUT_MS,
  validationError,
} from '../../../kernel/index.ts'
import { authorizeRequest } from '../access/authenticate-request.ts'
import type { App, ServerOptions } from '../app.ts'
import { referenceRoutes } from '../docs/reference-routes.ts'
import { siteRoutes } from '../docs/site-routes.ts'
import { sendClientError } from '../errors/send-client-error.ts'
import { sendError } from '../errors/send-error.ts'
import { registerIdempotency } from '../idempotency/register-idempotency.ts'
import { bucketOfAddress, bucketOfCredential, enforceRateLimit, refuseUncounted } from '../limits/enforce-rate-limit.ts'
import { OrganizationLimit } from '../limits/organization-limit.ts'
import { RefusedNetworks } from '../limits/refused-networks.ts'
import { countSecurityEvents } from '../metrics/count-security-events.ts'
import { healthRoutes } from '../metrics/health-routes.ts'
import { HttpMetrics } from '../metrics/metrics.ts'
import { observeRequests } from '../metrics/observe-requests.ts'
import { traceRequests } from '../metrics/trace-requests.ts'
import { describeRoutes } from '../openapi/describe-routes.ts'
import { openApiRoute } from '../openapi/openapi-route.ts'
import { type CredentialChecks, checkCredentials } from '../pipeline/check-credentials.ts'
import { registerGracefulShutdown } from '../pipeline/graceful-shutdown.ts'
import { guardChanges } from '../pipeline/guard-changes.ts'
import { MethodTable } from '../pipeline/method-table.ts'
import { prepareRoute } from '../pipeline/prepare-route.ts'
import { requestIdOf } from '../pipeline/request-id.ts'
import { auditRequests } from '../records/audit-requests.ts'
import { recordKeyRequests } from '../records/record-key-request.ts'
import { endStalledResponses } from '../responses/end-stalled-responses.ts'
import { resetBrokenResponses } from '../responses/reset-broken-responses.ts'
import { setDataHeaders } from '../responses/security-headers.ts'
import { StreamedLists } from '../responses/streamed-lists.ts'
import { serializersOnUse } from '../validation/compile-on-use.ts'
import { readBodiesAsBytes } from '../validation/raw-body.ts'
import { RequestValidator } from '../validation/validate-request.ts'

/**
 * Builds the HTTP server with everything that all routes share. It does not listen yet; `close()` shuts it down
 * gracefully. Requests count in `metrics`.
 *
 * A request passes the hooks below in the order of contract 4: credential, rate limit, scope, idempotency replay, body
 * shape, then the route's handler. Credential and scope are checked again where it waited.
 */
export async function buildServer(options: ServerOptions, metrics = new HttpMetrics(options.db)): Promise<App> {
  const app = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    requestIdHeader: false,
    genReqId: (raw) => requestIdOf(raw.headers, options.random),
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
    ...transportOf(options),
    routerOptions: { maxParamLength: PATH_PARAMETER_LENGTH_MAX },
    return503OnClosing: false,
    requestTimeout: options.arrivalMs ?? REQUEST_ARRIVAL_TIMEOUT_MS,
    // Requests that cannot be routed, such as a broken escape in the path, pass no hook but still count.
    frameworkErrors: async (error, request, reply) => {
      reply.header('x-request-id', request.id)
      setDataHeaders(request, reply)
      const { rateLimiter, rateLimitMultiplier: multiplier } = options
      await enforceRateLimit(rateLimiter, bucketOfAddress(request, 'refused', 'anonymous', multiplier), reply).then(
        () => sendError(error, request, reply),
        (refused) => sendError(refused, request, reply),
      )
    },
    clientErrorHandler: (error, socket) => sendClientError(error, socket, requestIdOf({}, options.random)),
  }) as App
  app.decorate('transact', transactOn(options.db))
  app.decorateRequest('presented', undefined)
  app.decorateRequest('record', undefined)
  app.decorateRequest('audit', undefined)
  app.decorateRequest('credential', {
    getter() {
      assert(this.presented !== undefined, 'the credential was read on a route that requires none')
      return this.presented
    },
  })
  registerGracefulShutdown(app, options.drainMs)

  const methods = new MethodTable()
  const shapes = new RequestValidator()
  const { securityEvents } = options
  app.decorate('securityEvents', securityEvents && countSecurityEvents(securityEvents, metrics.registry))
  app.decorate('keyErrors', options.keyErrors)

  app.setErrorHandler(sendError)
  app.setNotFoundHandler((request, reply) => methods.refuse(request, reply))
  // Our own hooks validate all parts of a request together.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(serializersOnUse())
  readBodiesAsBytes(app)

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    setDataHeaders(request, reply)
    const { httpVersion } = request.raw
    const isNameless = request.headers.host === undefined && httpVersion === '1.1'
    // Node's parser accepts a request line without a version, which proxies read in other ways.
    const isOutdated = httpVersion === '0.9'
    if (isOutdated) done(validationError('request', 'must be HTTP/1.0 or newer'))
    else done(isNameless ? validationError('Host', 'is required') : undefined)
  })
  traceRequests(app)
  observeRequests(app, metrics)
  recordKeyRequests(app, options.keyRequests)
  const credentials = checkCredentials(app, options)
  admit(app, options, methods, credentials)
  // The body may have taken half a minute, and a claimed idempotency key seconds.
  app.addHook('preValidation', credentials.requireFresh)
  registerIdempotency(app, options)
  auditRequests(app, options)
  resetBrokenResponses(app)
  endStalledResponses(app, options)
  app.addHook('preHandler', credentials.requireFresh)
  guardChanges(app, { db: options.db, clock: options.clock, ...options.changes })

  await describeRoutes(app, options)
  const wholeLists = new StreamedLists()
  app.addHook('onRoute', (route) => {
    methods.add(route)
    prepareRoute(route, shapes)
    wholeLists.add(route)
  })
  healthRoutes(app, options, metrics)
  openApiRoute(app)
  referenceRoutes(app)
  siteRoutes(app, options.publicUrl)
  options.routes(app)
  app.addHook('onClose', () => options.rateLimiter.close())
  return app
}

/** HTTP, or HTTPS with a certificate. Requests and handshakes that take too long to arrive are closed within seconds. */
function transportOf({ tls, arrivalMs: arrival, handshakeMs = TLS_HANDSHAKE_TIMEOUT_MS }: ServerOptions): object {
  const arrivalMs = arrival ?? REQUEST_ARRIVAL_TIMEOUT_MS
  const shared = {
    // Node would reject a request without Host itself, in a different error shape.
    requireHostHeader: false,
    connectionsCheckingInterval: Math.min(SLOW_REQUESTS_CHECK_MS, arrivalMs),
    // Of two different times Node applies the shorter one to headers and the longer one to the whole request.
    headersTimeout: arrivalMs,
    requestTimeout: arrivalMs,
  }
  if (tls === undefined) return { http: shared }
  return { https: { ...shared, ...tls, minVersion: 'TLSv1.2', handshakeTimeout: handshakeMs } }
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

function notReplicated(): Failure {
  const message = 'Writes are refused while the database has too few standbys. Nothing was changed. Try again later.'
  return new Failure('NOT_READY', { message, details: { reason: 'not_replicated' } })
}

/** Credential, rate limit, scope. Callers without a valid credential are counted by address. */
function admit(
  app: App,
  options: ServerOptions,
  methods: MethodTable,
  { authenticate, credentialText }: Pick<CredentialChecks, 'authenticate' | 'credentialText'>,
): void {
  const { rateLimiter, rateLimitMultiplier: multiplier } = options
  const ceiling = new OrganizationLimit(
    rateLimiter,
    options.organizationRateLimit ?? ORGANIZATION_RATE_LIMIT,
    multiplier,
  )
  const networks = new RefusedNetworks()
  app.addHook('onRequest', async (request, reply) => {
    const ofRefused = () => bucketOfAddress(request, 'refused', 'anonymous', multiplier)
    if (request.is404) return enforceRateLimit(rateLimiter, ofRefused(), reply)
    if (methods.isForeign(request)) {
      await enforceRateLimit(rateLimiter, ofRefused(), reply)
      return methods.refuse(request, reply)
    }
    const { access, limit } = request.routeOptions.config
    // Elsewhere no credential is looked up here.
    const isLookedUp = typeof access !== 'string' && access.surface !== 'validate'
    const credential = isLookedUp ? credentialText(request) : undefined
    const blockedSeconds = networks.blockedSeconds(request, credential)
    if (blockedSeconds !== undefined) refuseUncounted(ofRefused(), blockedSeconds, reply)
    try {
      request.presented = await authenticate(request)
    } catch (error) {
      await enforceRateLimit(rateLimiter, ofRefused(), reply).catch((limited: unknown) => {
        networks.block(request, Number(reply.getHeader('Retry-After') ?? 0))
        throw limited
      })
      throw error
    }
    const purpose = typeof access === 'string' ? access : 'validate'
    const count = request.presented
      ? bucketOfCredential(request.presented, limit, multiplier)
      : bucketOfAddress(request, purpose, limit, multiplier)
    await enforceRateLimit(rateLimiter, count, reply)
    if (request.presented) networks.accept(credential)
    if (request.presented) await ceiling.enforce(request.presented, reply)
    if (!SAFE_METHODS.has(request.method) && options.refusesWrites?.()) throw notReplicated()
    authorizeRequest(access, request.presented)
  })
}

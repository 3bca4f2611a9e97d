import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { assert, invalid, MAX_BODY_BYTES } from '../../kernel/index.ts'
import type { App, ServerOptions } from './app.ts'
import { auditRequests } from './audit.ts'
import { checkScope, present } from './authenticate.ts'
import { readBodiesAsBytes } from './body.ts'
import { answerClientError } from './client-error.ts'
import { docsRoutes } from './docs.ts'
import { answerError } from './errors.ts'
import { healthRoutes } from './health.ts'
import { replayAnswers } from './idempotency.ts'
import { Methods } from './methods.ts'
import { Metrics } from './metrics.ts'
import { observeRequests } from './observe.ts'
import { describeRoutes } from './openapi.ts'
import { countOf, countOfAddress, takeOne } from './rate.ts'
import { requestIdOf } from './request-id.ts'
import { prepareRoute } from './routes.ts'
import { setDataHeaders } from './security-headers.ts'
import { stopCleanly } from './stopping.ts'
import { Shapes } from './validate.ts'

/**
 * The HTTP server with everything that all routes share; it does not listen yet, and `close()` stops it cleanly.
 *
 * The order of a request is that of decisions 4, and is the order of the hooks below: credential, rate limit, scope,
 * idempotency replay, body shape, then the route's handler.
 */
export async function buildServer(options: ServerOptions): Promise<App> {
  const app: App = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    requestIdHeader: false,
    genReqId: (raw) => requestIdOf(raw.headers, options.random),
    bodyLimit: MAX_BODY_BYTES,
    // Node would refuse a request without Host by itself, in no shape of ours.
    http: { requireHostHeader: false },
    routerOptions: { maxParamLength: 1_024 },
    return503OnClosing: false,
    // A request has this long to arrive whole; slower ones hold a connection for nothing.
    requestTimeout: 30_000,
    // What cannot be routed, such as a broken escape in the path, passes no hook; it counts all the same.
    frameworkErrors: async (error, request, reply) => {
      reply.header('x-request-id', request.id)
      setDataHeaders(reply)
      const { limits, rateLimitMultiplier: multiplier } = options
      await takeOne(limits, countOfAddress(request, 'refused', 'anonymous', multiplier), reply).then(
        () => answerError(error, request, reply),
        (refused) => answerError(refused, request, reply),
      )
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, requestIdOf({}, options.random)),
  })
  app.decorateRequest('presented', undefined)
  app.decorateRequest('record', undefined)
  app.decorateRequest('audit', undefined)
  app.decorateRequest('credential', {
    getter() {
      assert(this.presented !== undefined, 'a credential is read on a route that asks for none')
      return this.presented
    },
  })
  stopCleanly(app, options.drainMs)

  const methods = new Methods()
  const shapes = new Shapes()
  const metrics = new Metrics(options.db)

  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request, reply) => methods.refuse(request, reply))
  // Shapes are judged by hooks of ours, which see all parts of a request together.
  app.setValidatorCompiler(() => () => true)
  readBodiesAsBytes(app)

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    setDataHeaders(reply)
    const isNameless = request.headers.host === undefined && request.raw.httpVersion === '1.1'
    done(isNameless ? invalid('Host', 'is required') : undefined)
  })
  observeRequests(app, metrics)
  admit(app, options, methods)
  replayAnswers(app, options)
  auditRequests(app, options)

  await describeRoutes(app, options)
  app.addHook('onRoute', (route) => {
    methods.add(route)
    prepareRoute(route, shapes)
  })
  healthRoutes(app, options, metrics)
  docsRoutes(app)
  options.routes(app)
  app.addHook('onClose', () => options.limits.close())
  return app
}

/** Credential, rate limit, scope. Whoever presents nothing that holds is counted by address. */
function admit(app: App, options: ServerOptions, methods: Methods): void {
  const { authenticate, limits, rateLimitMultiplier: multiplier } = options
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) return takeOne(limits, countOfAddress(request, 'refused', 'anonymous', multiplier), reply)
    if (methods.isForeign(request)) {
      await takeOne(limits, countOfAddress(request, 'refused', 'anonymous', multiplier), reply)
      return methods.refuse(request, reply)
    }
    const { access, limit } = request.routeOptions.config
    try {
      request.presented = await present(access, request.headers, authenticate)
    } catch (error) {
      await takeOne(limits, countOfAddress(request, 'refused', 'anonymous', multiplier), reply)
      throw error
    }
    const purpose = typeof access === 'string' ? access : 'validate'
    const count = request.presented
      ? countOf(request.presented, limit, multiplier)
      : countOfAddress(request, purpose, limit, multiplier)
    await takeOne(limits, count, reply)
    checkScope(access, request.presented)
  })
}

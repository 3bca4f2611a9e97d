import type { FastifyRequest } from 'fastify'
import { activeTracer, type OpenSpan } from '../../../kernel/index.ts'
import type { App } from '../app.ts'
import { callerOf } from './observe-requests.ts'

/** Routes that orchestrators and Prometheus call every few seconds. */
const UNTRACED = new Set(['/health', '/ready', '/metrics'])

/**
 * Records a span per request, if tracing is on: method, route, status and who called by id, without path, query,
 * headers and bodies. All work of the request is in it.
 */
export function traceRequests(app: App): void {
  const tracer = activeTracer()
  if (tracer === undefined) return
  const spans = new WeakMap<FastifyRequest, OpenSpan>()
  /** Continues with the request's span around what follows. */
  const resume = (request: FastifyRequest, done: () => void): void => {
    const span = spans.get(request)
    if (span) tracer.within(span, done)
    else done()
  }

  app.addHook('onRequest', (request, reply, done) => {
    const route = request.is404 ? undefined : request.routeOptions.url
    if (route !== undefined && UNTRACED.has(route)) return done()
    const { traceparent } = request.headers
    const span = tracer.begin({
      name: route === undefined ? request.method : `${request.method} ${route}`,
      kind: 'server',
      ...tracer.fromCaller(typeof traceparent === 'string' ? traceparent : undefined),
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'url.scheme': request.protocol,
        'weir.request_id': request.id,
      },
    })
    spans.set(request, span)
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) span.set({ 'error.type': 'client_disconnected' })
      span.end()
    })
    resume(request, done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { keyId, userId } = callerOf(request.presented)
    const span = spans.get(request)
    span?.set({
      'http.response.status_code': reply.statusCode,
      'weir.organization_id': request.presented?.organizationId,
      'weir.key_id': keyId,
      'weir.user_id': userId,
    })
    if (reply.statusCode >= 500) span?.fail(String(reply.statusCode))
    span?.end()
    resume(request, done)
  })
}

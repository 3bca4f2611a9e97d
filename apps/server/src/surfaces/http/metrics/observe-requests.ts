import type { App } from '../pipeline/app.ts'
import type { HttpMetrics } from './metrics.ts'

/**
 * One log line and one measurement a request: what was asked and how it ended; no header, no body, no secret. What every
 * request passes and nothing waits for makes no promise, here and in the other hooks: it costs more than what it does.
 */
export function observeRequests(app: App, metrics: HttpMetrics): void {
  app.addHook('onRequest', (request, reply, done) => {
    metrics.started(request)
    // Not `onRequestAbort`, which nobody calls once a body was read.
    reply.raw.once('close', () => {
      if (reply.raw.writableFinished || !metrics.aborted(request)) return
      request.log.info({ method: request.method, route: request.routeOptions.url }, 'the caller went away')
    })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const milliseconds = reply.elapsedTime
    metrics.answered(request, reply.statusCode, milliseconds / 1000)
    request.log.info(
      {
        method: request.method,
        route: request.is404 ? undefined : request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(milliseconds * 10) / 10,
        organizationId: request.presented?.organizationId,
      },
      'request',
    )
    done()
  })
}

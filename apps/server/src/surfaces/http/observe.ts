import type { App } from './app.ts'
import type { Metrics } from './metrics.ts'

/** One log line and one measurement a request: what was asked and how it ended; no header, no body, no secret. */
export function observeRequests(app: App, metrics: Metrics): void {
  app.addHook('onRequest', async (request) => {
    metrics.started(request)
  })
  app.addHook('onResponse', async (request, reply) => {
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
  })
  app.addHook('onRequestAbort', async (request) => {
    metrics.aborted(request)
    request.log.info({ method: request.method, route: request.routeOptions.url }, 'the caller went away')
  })
}

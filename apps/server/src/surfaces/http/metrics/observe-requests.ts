import type { Credential } from '../../../identity/index.ts'
import type { App } from '../app.ts'
import { clientAddress } from '../limits/client-address.ts'
import type { HttpMetrics } from './metrics.ts'

/**
 * Writes one log line and one measurement per request, without headers, bodies or secrets. The line names the caller by
 * key, user or service account id and network address. Hooks that run for every
 * request and wait for nothing are synchronous, here and elsewhere: a promise would cost more than the work.
 */
export function observeRequests(app: App, metrics: HttpMetrics): void {
  app.addHook('onRequest', (request, reply, done) => {
    metrics.started(request)
    // Kept for the audit log, which may be written after the caller left.
    clientAddress(request)
    // Not `onRequestAbort`, which does not fire once the body was read.
    reply.raw.once('close', () => {
      if (reply.raw.writableFinished || !metrics.aborted(request)) return
      request.log.info({ method: request.method, route: request.routeOptions.url }, 'client disconnected')
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
        ...callerOf(request.presented),
        address: clientAddress(request),
      },
      'request',
    )
    done()
  })
}

export function callerOf(credential: Credential | undefined): {
  keyId?: number
  userId?: number
  serviceAccountId?: number
} {
  switch (credential?.kind) {
    case undefined:
      return {}
    case 'key':
      return { keyId: credential.keyId }
    case 'user':
      return { userId: credential.userId }
    case 'service_account':
      return { serviceAccountId: credential.serviceAccountId }
  }
}

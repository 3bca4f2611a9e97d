import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyRequestRecorder } from '../../../identity/index.ts'
import type { App } from '../app.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Where requests of keys and service accounts are recorded; `undefined` in servers without it. */
    readonly keyRequests: KeyRequestRecorder | undefined
  }
  interface FastifyRequest {
    /** Code of the error that is the response. */
    failureCode: string | undefined
    /** A poll that found no work, which is not worth a place among the latest requests of its key. */
    foundNothing: boolean
  }
}

/** Parameters that hold Weir's own ids, if these are numbers. */
const ID = /^(?!external)(?:id|.*Id)$/
const NUMBER = /^\d{1,16}$/

/**
 * Records each request of a key or a service account once its response was sent, with nothing that it sent besides ids of
 * its path. Nothing waits for it. Requests whose client disconnects have no response and are not recorded.
 */
export function recordKeyRequests(app: App, recorder: KeyRequestRecorder | undefined): void {
  app.decorate('keyRequests', recorder)
  app.decorateRequest('failureCode', undefined)
  app.decorateRequest('foundNothing', false)
  if (recorder === undefined) return
  app.addHook('onResponse', (request, reply, done) => {
    recordKeyRequest(recorder, request, reply)
    done()
  })
}

function recordKeyRequest(recorder: KeyRequestRecorder, request: FastifyRequest, reply: FastifyReply): void {
  const { presented, routeOptions } = request
  if (presented === undefined || presented.kind === 'user' || routeOptions.url === undefined) return
  if (request.foundNothing) return
  recorder.record({
    organizationId: presented.organizationId,
    actorType: presented.kind,
    actorId: presented.kind === 'key' ? presented.keyId : presented.serviceAccountId,
    requestId: request.id,
    method: request.method,
    route: routeOptions.url,
    path: pathOf(routeOptions.url, request.params),
    status: reply.statusCode,
    code: request.failureCode ?? null,
    durationMs: Math.round(reply.elapsedTime),
  })
}

/** The template with ids that are numbers: what else a path holds may have been typed. */
function pathOf(route: string, params: unknown): string {
  const values = Object.entries(params ?? {}).filter(([name, value]) => ID.test(name) && NUMBER.test(String(value)))
  const shown = new Map(values.map(([name, value]) => [`:${name}`, String(value)]))
  return route
    .split('/')
    .map((part) => shown.get(part) ?? part)
    .join('/')
}

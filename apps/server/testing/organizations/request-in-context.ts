import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const current = new AsyncLocalStorage<FastifyRequest>()

/** From now on, each server that is made in this process runs a request's work in a context of its own. */
export function followRequests(): void {
  subscribe('fastify.initialization', (message) => {
    const { fastify } = message as { readonly fastify: FastifyInstance }
    // Reading a body, and the end of a response, leave the context.
    for (const hook of ['onRequest', 'preValidation', 'onResponse'] as const) {
      fastify.addHook(hook, (request: FastifyRequest, _reply: unknown, done: () => void) => current.run(request, done))
    }
  })
}

export interface Requester {
  readonly organizationId: number
  readonly route: string
}

/** Who sent the request that the running code works for; `undefined` outside of one, and before its credential is read. */
export function currentRequester(): Requester | undefined {
  const request = current.getStore()
  const organizationId = request?.presented?.organizationId
  return organizationId === undefined
    ? undefined
    : { organizationId, route: `${request?.method} ${request?.routeOptions.url}` }
}

/** Does what another process, or a worker, would do when a request asks for it. */
export function outsideRequests<T>(work: () => T): T {
  return current.exit(work)
}

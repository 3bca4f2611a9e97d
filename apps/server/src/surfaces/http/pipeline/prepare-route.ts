import type { RouteOptions } from 'fastify'
import { permissionOf } from '../access/access.ts'
import type { RequestValidator } from '../validation/validate-request.ts'

/**
 * Prepares a route at registration: checks its config, so that mistakes fail at startup, and adds its
 * validation.
 */
export function prepareRoute(route: RouteOptions, shapes: RequestValidator): void {
  const config = route.config
  if (config?.access === undefined || config.limit === undefined)
    throw new Error(`${route.method} ${route.url} does not declare its access and limit`)
  checkConsistency(route)
  const schema = route.schema ?? {}
  const check = shapes.check(schema, config.rawBody)
  const before = route.preValidation === undefined ? [] : [route.preValidation].flat()
  route.preValidation = [
    ...before,
    (request, _reply, done) => {
      check(request)
      done()
    },
  ]
}

function checkConsistency(route: RouteOptions): void {
  const { access, limit, idempotent, secretFields, change } = route.config!
  const name = `${route.method} ${route.url}`
  const reads = [route.method].flat().every((method) => method === 'GET' || method === 'HEAD')
  if (typeof access === 'object' && access.surface === 'v1') {
    if (!route.url.startsWith('/v1/')) throw new Error(`${name} has v1 access outside of /v1/`)
    if (permissionOf(access) === undefined) throw new Error(`${name} does not declare the permission that a key needs`)
    if (limit !== (reads ? 'v1.read' : 'v1.write'))
      throw new Error(`${name} must count as ${reads ? 'v1.read' : 'v1.write'}`)
  }
  if (idempotent !== undefined && reads) throw new Error(`${name} is read-only, so it cannot take an Idempotency-Key`)
  const responses = (route.schema?.response ?? {}) as Record<string, unknown>
  if (change !== undefined && typeof access === 'object' && access.surface === 'core' && responses[202] === undefined)
    throw new Error(`${name} can need approval, so it must describe the response 202`)
  if ((idempotent === 'secret') !== (secretFields !== undefined && secretFields.length > 0))
    throw new Error(`${name} must declare secretFields if and only if idempotent is 'secret'`)
}

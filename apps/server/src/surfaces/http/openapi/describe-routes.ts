import swagger from '@fastify/swagger'
import type { FastifySchema, RouteOptions } from 'fastify'
import { permissionOf } from '../pipeline/access.ts'
import type { App, ServerOptions } from '../pipeline/app.ts'
import { resolveMarks, SchemaComponents } from '../pipeline/schema-components.ts'
import { documentedErrors, errorComponents } from './errors.ts'
import { tagsOf } from './tags.ts'
import {
  CHANGE_REQUEST_ID,
  COMMON_HEADERS,
  commonHeaderRefs,
  DESCRIPTION,
  IDEMPOTENCY_KEY,
  SECURITY_SCHEMES,
} from './texts.ts'

type Json = Record<string, unknown>

/** Describes every route registered after it as OpenAPI 3.1 (contract 2). `app.swagger()` returns the document. */
export async function describeRoutes(app: App, options: ServerOptions): Promise<void> {
  const components = new SchemaComponents()
  const routes = new Map<string, RouteOptions>()
  const schemas = new WeakMap<RouteOptions, FastifySchema>()
  // Runs before the plugin's own hook, and before `prepareRoute` strips schema names.
  app.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) routes.set(`${method.toLowerCase()} ${pathOf(route.url)}`, route)
    schemas.set(route, documented(route.schema ?? {}, components))
  })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Weir', version: options.version, description: DESCRIPTION },
      servers: [{ url: options.publicUrl, description: options.environment }],
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    transform: ({ schema, url, route }) => ({ schema: schemas.get(route) ?? schema, url }),
    transformObject: (document) => {
      const object = ('openapiObject' in document ? document.openapiObject : {}) as Json
      return resolveMarks(finish(object, components, routes))
    },
  })
}

/** A route's schema with marks for named schemas, defaulted parameters optional, and every response described. */
function documented(schema: FastifySchema, components: SchemaComponents): FastifySchema {
  const marked = components.collect({ ...schema, response: describedResponses(schema.response) }) as FastifySchema
  for (const part of ['querystring', 'body'] as const)
    if (marked[part]) marked[part] = optionalWhereDefaulted(marked[part] as Json)
  return marked
}

/** A response takes its schema's description, which a reference to a named schema would hide. */
function describedResponses(response: unknown): Json {
  const responses = Object.entries((response ?? {}) as Record<string, Json>)
  return Object.fromEntries(
    responses.map(([status, body]) => {
      if ('content' in body) return [status, body]
      // A response without content has no body, not even null. The plugin handles the bare type.
      if (body.type === 'null') return [status, body]
      return [status, { description: body.description ?? '', content: { 'application/json': { schema: body } } }]
    }),
  )
}

/** A request may omit a field that has a default, so the document does not require it. */
function optionalWhereDefaulted(schema: Json): Json {
  if (!schema.properties) return schema
  const properties = (schema.properties ?? {}) as Record<string, Json>
  const required = ((schema.required ?? []) as string[]).filter((name) => properties[name]?.default === undefined)
  return { ...schema, required }
}

/** Adds what follows from a route's config: security, errors, headers, the idempotency key. */
function finish(object: Json, components: SchemaComponents, routes: ReadonlyMap<string, RouteOptions>): Json {
  const paths = (object.paths ?? {}) as Record<string, Record<string, Json>>
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const route = routes.get(`${method} ${path}`)
      if (route?.config === undefined) continue
      const { access, idempotent, change } = route.config
      operation.security = securityOf(access)
      const permission = permissionOf(access)
      if (permission !== undefined) operation['x-permission'] = permission
      const responses = {
        ...documentedErrors(path, method, route.config),
        ...(operation.responses as Json),
      }
      operation.responses = withHeaders(responses)
      const headers = [...(idempotent ? [IDEMPOTENCY_KEY] : []), ...(change ? [CHANGE_REQUEST_ID] : [])]
      if (headers.length > 0) operation.parameters = [...((operation.parameters ?? []) as Json[]), ...headers]
      if (operation.requestBody) operation.requestBody = { ...operation.requestBody, required: needsBody(route) }
    }
  }
  const schemas = { ...components.all(), ...errorComponents() }
  return {
    ...object,
    tags: tagsOf(paths),
    components: { ...(object.components ?? {}), headers: COMMON_HEADERS, schemas },
  }
}

/** An empty body counts as `{}` (contract 4), so a body is required only if one of its fields is. */
function needsBody(route: RouteOptions): boolean {
  const required = (route.schema?.body as { required?: unknown[] } | undefined)?.required
  return required !== undefined && required.length > 0
}

function withHeaders(responses: Record<string, unknown>): Json {
  const entries = Object.entries(responses as Record<string, Json>)
  return Object.fromEntries(
    entries.map(([status, response]) => [
      status,
      { ...response, headers: { ...(response.headers ?? {}), ...commonHeaderRefs(status) } },
    ]),
  )
}

function securityOf(access: NonNullable<RouteOptions['config']>['access']): Json[] {
  if (access === 'open' || access === 'auth') return []
  if (access.surface !== 'core') return [{ apiKey: [] }]
  return access.key ? [{ bearer: [] }, { apiKey: [] }] : [{ bearer: [] }]
}

/** Converts Fastify's `/a/:id` to OpenAPI's `/a/{id}`. */
function pathOf(url: string): string {
  return url.replaceAll(/:(\w+)/g, '{$1}')
}

import swagger from '@fastify/swagger'
import type { FastifySchema, RouteOptions } from 'fastify'
import type { App, ServerOptions } from './app.ts'
import { Components, resolveMarks } from './components.ts'
import { documentedErrors, errorComponents } from './openapi-errors.ts'

type Json = Record<string, unknown>

const DESCRIPTION = `Weir puts idle stablecoin money to work, without ever holding a key.

Two surfaces serve the same resources:

- **v1** (\`/v1/...\`): for applications. API key in \`x-api-key\`, bare bodies, money as base units in text, rates as fractions.
- **core** (\`/api/...\`): for people and their agents. User session in \`Authorization: Bearer\` (or, where it says so, an organization key in \`X-API-Key\`), bodies as \`{success, data}\`, money as decimals in text, rates in percent.

Every answer carries \`x-request-id\` and the \`RateLimit-*\` headers. Every POST that creates or moves something takes an \`Idempotency-Key\`.`

const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A user session: the `accessToken` of login.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'An API key: profile-scoped, admin (reads only) or of the organization.',
  },
} as const

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any text of 1 to 255 characters. The same request with the same key, within 24 hours, has its effect once and gets the first answer again, with `Idempotency-Replayed: true`. Secrets in that answer are null.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
} as const

/** Describes every route that is registered after it as OpenAPI 3.1 (decisions 2); the document is `app.swagger()`. */
export async function describeRoutes(app: App, options: ServerOptions): Promise<void> {
  const components = new Components()
  const routes = new Map<string, RouteOptions>()
  // Before the plugin's own hook sees the route, and before names are taken off its schemas.
  const named = new WeakMap<RouteOptions, FastifySchema>()
  app.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) routes.set(`${method.toLowerCase()} ${pathOf(route.url)}`, route)
    if (route.schema) named.set(route, route.schema)
  })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Weir', version: options.version, description: DESCRIPTION },
      servers: [{ url: options.publicUrl, description: options.environment }],
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    transform: ({ schema, url, route }) => {
      const whole = named.get(route) ?? schema ?? {}
      return { schema: documented(whole, components), url }
    },
    transformObject: (document) => {
      const object = ('openapiObject' in document ? document.openapiObject : {}) as Json
      return resolveMarks(finish(object, components, routes))
    },
  })
}

/** A route's schema with names as marks, and parameters that have a default no longer required. */
function documented(schema: FastifySchema, components: Components): FastifySchema {
  const marked = components.collect({ ...schema }) as FastifySchema & { response?: Json }
  if (marked.querystring) marked.querystring = optionalWhereDefaulted(marked.querystring as Json)
  return marked
}

function optionalWhereDefaulted(schema: Json): Json {
  const properties = (schema.properties ?? {}) as Record<string, Json>
  const required = ((schema.required ?? []) as string[]).filter((name) => properties[name]?.default === undefined)
  return { ...schema, required }
}

/** What each operation has because of where it stands: security, errors, the idempotency key. */
function finish(object: Json, components: Components, routes: ReadonlyMap<string, RouteOptions>): Json {
  const paths = (object.paths ?? {}) as Record<string, Record<string, Json>>
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const config = routes.get(`${method} ${path}`)?.config
      if (config === undefined) continue
      operation.security = securityOf(config.access)
      operation.responses = { ...documentedErrors(path, config), ...(operation.responses as Json) }
      if (config.idempotent) operation.parameters = [...((operation.parameters ?? []) as Json[]), IDEMPOTENCY_KEY]
    }
  }
  const given = (object.components ?? {}) as Json
  return { ...object, components: { ...given, schemas: { ...components.all(), ...errorComponents() } } }
}

function securityOf(access: NonNullable<RouteOptions['config']>['access']): Json[] {
  if (access === 'open' || access === 'auth') return []
  if (access.surface !== 'core') return [{ apiKey: [] }]
  return access.key ? [{ bearer: [] }, { apiKey: [] }] : [{ bearer: [] }]
}

/** Fastify's `/a/:id` as the document's `/a/{id}`. */
function pathOf(url: string): string {
  return url.replaceAll(/:(\w+)/g, '{$1}')
}

import swagger from '@fastify/swagger'
import type { FastifySchema, RouteOptions } from 'fastify'
import { isForServiceAccounts, permissionOf } from '../access/access.ts'
import { sessionCookie } from '../access/session-cookie.ts'
import type { App, ServerOptions } from '../app.ts'
import { STREAMED_LIST } from '../responses/streamed-lists.ts'
import { resolveMarks, SchemaComponents } from '../validation/schema-components.ts'
import {
  CHANGE_REQUEST_ID,
  COMMON_HEADERS,
  DESCRIPTION,
  type HeaderFacts,
  headerRefs,
  IDEMPOTENCY_KEY,
  securitySchemes,
} from './api-description.ts'
import { completeSchemas } from './complete-schemas.ts'
import { documentedErrors, errorComponents } from './errors.ts'
import { tagsOf } from './tags.ts'
import { webhooksOf } from './webhooks.ts'

type Json = Record<string, unknown>

/** Describes every route registered after it as OpenAPI 3.1 (contract 2). `app.swagger()` returns the document. */
export async function describeRoutes(app: App, options: ServerOptions): Promise<void> {
  const components = new SchemaComponents()
  const routes = new Map<string, RouteOptions>()
  app.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) routes.set(`${method.toLowerCase()} ${pathOf(route.url)}`, route)
  })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Weir',
        version: options.version,
        description: DESCRIPTION,
        license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
        contact: { name: 'The operator of this service', url: options.publicUrl },
      },
      servers: [{ url: options.publicUrl, description: options.environment }],
      components: { securitySchemes: securitySchemes(cookieNameOf(options.publicUrl)) },
    },
    // Runs when somebody asks for the document, so that a start does not wait for it.
    transform: ({ schema, url }) => ({ schema: documented(schema ?? {}, components), url }),
    transformObject: (document) => {
      const object = ('openapiObject' in document ? document.openapiObject : {}) as Json
      return completeSchemas(resolveMarks(finish(object, components, routes)))
    },
  })
}

/** A route's schema with marks for named schemas, defaulted parameters optional, and every response described. */
function documented(schema: FastifySchema, components: SchemaComponents): FastifySchema {
  const { querystring, body, response } = schema
  return components.collect({
    ...schema,
    response: describedResponses(response),
    ...(querystring !== undefined && { querystring: optionalWhereDefaulted(querystring as Json) }),
    ...(body !== undefined && { body: namedBody(schema, optionalWhereDefaulted(body as Json)) }),
  }) as FastifySchema
}

/** Generators name a type after its component. */
function namedBody({ operationId, summary }: FastifySchema, body: Json): Json {
  if (operationId === undefined || body.$id !== undefined || body.type !== 'object') return body
  const $id = `${operationId[0]!.toUpperCase()}${operationId.slice(1)}Body`
  return { ...body, $id, description: body.description ?? `The body of: ${summary}.` }
}

/** A response takes its schema's description, which a reference to a named schema would hide. */
function describedResponses(response: unknown): Json {
  const responses = Object.entries((response ?? {}) as Record<string, Json>)
  return Object.fromEntries(
    responses.map(([status, body]) => {
      if ('content' in body) return [status, withoutStream(body)]
      // A response without content has no body, not even null. The plugin handles the bare type.
      if (body.type === 'null') return [status, body]
      return [status, { description: body.description ?? '', content: { 'application/json': { schema: body } } }]
    }),
  )
}

const EVENT_STREAM = 'text/event-stream'

/** Generators would type a list that is also a stream as a list or a text, so the stream has a field of its own. */
function withoutStream(response: Json): Json {
  const { [EVENT_STREAM]: stream, ...content } = response.content as Json
  if (stream === undefined || Object.keys(content).length === 0) return response
  return { ...response, content, 'x-event-stream': { contentType: EVENT_STREAM, ...(stream as Json) } }
}

/** A list can also stream, a page in each line; as with events, the stream has a field of its own. */
function addWholeList(method: string, { parameters, responses }: Json): void {
  const page = (responses as Record<string, Json>)['200']
  const isList = ((parameters ?? []) as Json[]).some(({ name }) => name === 'limit')
  if (method !== 'get' || !isList || page?.content === undefined) return
  page['x-whole-list'] = { contentType: STREAMED_LIST, description: 'Every page of the list, one in each line.' }
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
      const { access, idempotent, secretFields, reread, change } = route.config
      operation.security = securityOf(access)
      const permission = permissionOf(access)
      if (permission !== undefined) operation['x-permission'] = permission
      if (isForServiceAccounts(access)) operation['x-service-accounts'] = true
      // What a replay reads again is not lost with the first response.
      if (secretFields !== undefined && reread === undefined) operation['x-secret-fields'] = secretFields
      const responses = {
        ...documentedErrors(path, method, route.config),
        ...(operation.responses as Json),
      }
      operation.responses = withHeaders(responses, {
        isIdempotent: idempotent !== undefined,
        isCounted: isCounted(route),
        isDeprecated: operation.deprecated === true,
      })
      addWholeList(method, operation)
      const headers = [...(idempotent ? [IDEMPOTENCY_KEY] : []), ...(change ? [CHANGE_REQUEST_ID] : [])]
      if (headers.length > 0) operation.parameters = [...((operation.parameters ?? []) as Json[]), ...headers]
      if (operation.requestBody) operation.requestBody = { ...operation.requestBody, required: needsBody(route) }
    }
  }
  const webhooks = webhooksOf(components)
  const schemas = { ...components.all(), ...errorComponents() }
  return {
    ...object,
    tags: tagsOf(paths),
    webhooks,
    components: { ...(object.components ?? {}), headers: COMMON_HEADERS, schemas },
  }
}

/** An empty body counts as `{}` (contract 4), so a body is required only if one of its fields is. */
function needsBody(route: RouteOptions): boolean {
  const required = (route.schema?.body as { required?: unknown[] } | undefined)?.required
  return required !== undefined && required.length > 0
}

function withHeaders(responses: Record<string, unknown>, facts: Omit<HeaderFacts, 'status'>): Json {
  const entries = Object.entries(responses as Record<string, Json>)
  return Object.fromEntries(
    entries.map(([status, response]) => [
      status,
      { ...response, headers: { ...(response.headers ?? {}), ...headerRefs({ status, ...facts }) } },
    ]),
  )
}

/** A paged list without a total in its body reports the total in a header (contract 5). */
function isCounted({ schema }: RouteOptions): boolean {
  const { properties: query = {} } = (schema?.querystring ?? {}) as { properties?: Json }
  const { 200: body = {} } = (schema?.response ?? {}) as { 200?: { properties?: { success?: Json; data?: Json } } }
  const isWrapped = body.properties?.success !== undefined
  const data = ((isWrapped ? body.properties?.data : body) ?? {}) as { type?: string; properties?: Json }
  const hasTotal = ['total', 'pagination'].some((name) => name in (data.properties ?? {}))
  return 'offset' in query && (data.type === 'array' || ('count' in (data.properties ?? {}) && !hasTotal))
}

function securityOf(access: NonNullable<RouteOptions['config']>['access']): Json[] {
  if (access === 'open' || access === 'auth') return []
  if (access.surface !== 'core') return [{ apiKey: [] }]
  return [{ bearer: [] }, { cookie: [] }, ...(access.key ? [{ apiKey: [] }] : [])]
}

const cookieNameOf = (publicUrl: string) => sessionCookie(publicUrl).clear().split('=', 1)[0]!

/** Converts Fastify's `/a/:id` to OpenAPI's `/a/{id}`. */
function pathOf(url: string): string {
  return url.replaceAll(/:(\w+)/g, '{$1}')
}

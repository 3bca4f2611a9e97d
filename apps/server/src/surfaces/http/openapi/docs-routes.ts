import Fastify, { type FastifyInstance } from 'fastify'
import Type from 'typebox'
import { DOCS_SCRIPT_CACHE_SECONDS } from '../../../kernel/index.ts'
import type { App } from '../pipeline/app.ts'
import { setPageHeaders } from '../pipeline/security-headers.ts'

const config = { access: 'open', limit: 'anonymous' } as const

/** `GET /openapi.json`, and `/docs`, which renders it with a script served from here (contract 2). */
export function docsRoutes(app: App): void {
  let document: string | undefined

  app.get(
    '/openapi.json',
    {
      config,
      schema: {
        tags: ['Service'],
        operationId: 'getOpenApi',
        summary: 'Get the OpenAPI 3.1 document of this API',
        description: 'Generated from the routes; `/docs` renders it.',
        response: {
          200: {
            description: 'The document.',
            content: {
              'application/json': {
                schema: Type.Unsafe<string>(
                  Type.Object({}, { additionalProperties: true, description: 'OpenAPI 3.1.' }),
                ),
              },
            },
          },
        },
      },
    },
    async (_request, reply) => {
      document ??= JSON.stringify(app.swagger())
      return reply.type('application/json; charset=utf-8').send(document)
    },
  )

  const hidden = { config, schema: { hide: true } }
  app.get('/docs', hidden, async (_request, reply) => reply.redirect('/docs/', 301))
  app.get('/docs/', hidden, async (request, reply) => {
    const { type, payload } = await pageAt(request.url)
    // The renderer writes its style sheet itself.
    setPageHeaders(reply, { html: payload.toString(), anyStyle: true })
    return reply.type(type).send(payload)
  })
  app.get('/docs/js/scalar.js', hidden, async (request, reply) => {
    const { type, payload } = await pageAt(request.url)
    setPageHeaders(reply, { cacheSeconds: DOCS_SCRIPT_CACHE_SECONDS })
    return reply.type(type).send(payload)
  })
}

let page: Promise<FastifyInstance> | undefined

/** The page's plugin costs 42 MB of memory and 160 ms at startup, so the first visit loads it, on its own server. */
async function pageAt(url: string): Promise<{ type: string; payload: Buffer }> {
  page ??= openPage()
  const { headers, rawPayload } = await (await page).inject(url)
  return { type: String(headers['content-type']), payload: rawPayload }
}

async function openPage(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const server = Fastify()
  await server.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Weir API reference',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
    },
  })
  await server.ready()
  return server
}

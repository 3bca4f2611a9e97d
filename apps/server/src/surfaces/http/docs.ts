import scalar from '@scalar/fastify-api-reference'
import type { RouteOptions } from 'fastify'
import Type from 'typebox'
import type { App } from './app.ts'
import { setPageHeaders } from './security-headers.ts'

const config = { access: 'open', limit: 'anonymous' } as const
const DOCS = '/docs'
const A_DAY = 86_400

/** The page's routes are registered by its plugin, which knows nothing of access: this says it for them. */
export function openDocs(route: RouteOptions): void {
  if (route.url === DOCS || route.url.startsWith(`${DOCS}/`)) route.config = { ...route.config, ...config }
}

/** `GET /openapi.json` and the page at `/docs` that renders it; its script comes from this service (decisions 2). */
export async function docsRoutes(app: App): Promise<void> {
  let document: string | undefined

  app.get(
    '/openapi.json',
    {
      config,
      schema: {
        tags: ['Service'],
        operationId: 'getOpenApi',
        summary: 'This interface as OpenAPI 3.1',
        description: 'Generated from the routes themselves; `/docs` renders it.',
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

  await app.register(async (page) => {
    page.addHook('onRequest', async (request, reply) => {
      setPageHeaders(reply, request.url.endsWith('.js') ? A_DAY : 0)
    })
    await page.register(scalar, {
      routePrefix: DOCS,
      configuration: {
        url: '/openapi.json',
        pageTitle: 'Weir API reference',
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
      },
    })
  })
}

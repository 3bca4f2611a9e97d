import Fastify, { type FastifyInstance } from 'fastify'
import { DOCS_SCRIPT_CACHE_SECONDS } from '../../../kernel/index.ts'
import type { App } from '../app.ts'
import { CompressedFiles, encodingsOf, sendFile } from '../responses/compressed-files.ts'
import { setPageHeaders } from '../responses/security-headers.ts'

const hidden = { config: { access: 'open', limit: 'anonymous' }, schema: { hide: true } } as const

/** Four megabytes, one once compressed. */
const SCRIPT = { name: 'scalar.js', type: 'text/javascript; charset=utf-8' } as const

/** `/docs/api`, which renders `/openapi.json` with a script served from here. */
export function referenceRoutes(app: App): void {
  const files = new CompressedFiles()
  app.get('/docs/api', hidden, async (_request, reply) => reply.redirect('/docs/api/', 301))
  app.get('/docs/api/', hidden, async (request, reply) => {
    const { type, payload } = await pageAt(request.url)
    // The renderer writes its style sheet itself.
    setPageHeaders(reply, { html: payload.toString(), anyStyle: true })
    return reply.type(type).send(payload)
  })
  app.get('/docs/api/js/scalar.js', hidden, async (request, reply) => {
    const { name, type } = SCRIPT
    const file = await files.get({ name, type, accepted: encodingsOf(request) }, async () => {
      return (await pageAt(request.url)).payload
    })
    setPageHeaders(reply, { cacheSeconds: DOCS_SCRIPT_CACHE_SECONDS })
    return sendFile(request, reply, file)
  })
  // Where the script was while the reference was at /docs.
  app.get('/docs/js/scalar.js', hidden, async (_request, reply) => reply.redirect('/docs/api/js/scalar.js', 301))
}

let page: Promise<FastifyInstance> | undefined

/** The page's plugin costs 42 MB of memory and 160 ms at startup, so the first visit loads it, on its own server. */
async function pageAt(url: string): Promise<{ type: string; payload: Buffer }> {
  page ??= openPage()
  const { statusCode, headers, rawPayload } = await (await page).inject(url)
  // The script is kept for as long as the process runs.
  if (statusCode !== 200) throw new Error(`the API reference responded ${statusCode} to ${url}`)
  return { type: String(headers['content-type']), payload: rawPayload }
}

async function openPage(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const server = Fastify()
  await server.register(scalar, {
    routePrefix: '/docs/api',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Weir API reference',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      // Buttons that send the document, or the reader, to the vendor.
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      favicon: '/docs/assets/icon.svg',
      // Requests go to the origin that the page came from, whatever name it was opened by.
      servers: [{ url: '/', description: 'This service' }],
    },
  })
  await server.ready()
  return server
}

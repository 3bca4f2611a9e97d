import type { FastifyReply, FastifyRequest } from 'fastify'
import { DOCS_ASSET_CACHE_SECONDS, DOCS_ICON_CACHE_SECONDS, Failure } from '../../../kernel/index.ts'
import type { App } from '../app.ts'
import { type CompressedFile, encodingsOf, sendFile } from '../responses/compressed-files.ts'
import { type PageOptions, setPageHeaders } from '../responses/security-headers.ts'
import { DocsSite } from './docs-site.ts'
import { endpointsHtml } from './endpoints.ts'

const hidden = { config: { access: 'open', limit: 'anonymous' }, schema: { hide: true } } as const

/**
 * The documents: pages at `/docs/NAME`, their Markdown at `/docs/NAME.md`, `/llms.txt`, and the icon at
 * `/favicon.ico`. The start page lists every endpoint of `/openapi.json` (contract 2).
 */
export function siteRoutes(app: App, publicUrl: string): void {
  const site = new DocsSite(() => endpointsHtml(app.swagger()))

  app.get('/docs', hidden, (_request, reply) => reply.redirect('/docs/', 301))
  app.get('/docs/', hidden, async (request, reply) =>
    send(request, reply, await site.page('index', encodingsOf(request))),
  )
  app.get('/llms.txt', hidden, async (request, reply) =>
    send(request, reply, await site.llms(publicUrl, encodingsOf(request))),
  )
  app.get('/docs/llms.txt', hidden, (_request, reply) => reply.redirect('/llms.txt', 301))

  // Browsers ask for it here wherever a response names no icon, such as JSON.
  app.get('/favicon.ico', hidden, async (request, reply) =>
    send(request, reply, await site.asset('assets/icon.svg', encodingsOf(request)), {
      cacheSeconds: DOCS_ICON_CACHE_SECONDS,
    }),
  )

  app.get('/docs/*', hidden, async (request, reply) => {
    const { '*': path } = request.params as { '*': string }
    const accepted = encodingsOf(request)
    if (path === 'index') return reply.redirect('/docs/', 301)
    if (path.endsWith('/')) {
      const name = path.slice(0, -1)
      if ((await site.page(name, accepted)) !== undefined) return reply.redirect(`/docs/${name}`, 301)
    }
    const file = path.endsWith('.md')
      ? await site.markdown(path.slice(0, -'.md'.length), accepted)
      : ((await site.page(path, accepted)) ?? (await site.asset(path, accepted)))
    if (file !== undefined) return send(request, reply, file)
    if (!request.headers.accept?.includes('text/html')) {
      throw new Failure('NOT_FOUND', { message: 'This path does not exist.' })
    }
    return send(request, reply.code(404), await site.missing(accepted))
  })
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  file: CompressedFile | undefined,
  caching: PageOptions = cachingOf(request),
): FastifyReply {
  if (file === undefined) throw new Failure('NOT_FOUND', { message: 'This path does not exist.' })
  setPageHeaders(reply, { trustedTypes: true, ...caching })
  return sendFile(request, reply, file)
}

/** The pages name their assets with a hash of the content, so these are kept. */
function cachingOf({ query, url }: FastifyRequest): PageOptions {
  const isVersioned = (query as { v?: unknown }).v !== undefined && url.startsWith('/docs/assets/')
  return isVersioned ? { cacheSeconds: DOCS_ASSET_CACHE_SECONDS, immutable: true } : {}
}

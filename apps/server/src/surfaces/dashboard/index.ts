import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import {
  ASSET_NAME_LENGTH_MAX,
  DASHBOARD_ASSET_CACHE_SECONDS,
  Failure,
  type RandomSource,
  randomBase62,
} from '../../kernel/index.ts'
import { type App, encodingsOf, sendBytes, setPageHeaders } from '../http/index.ts'
import { DashboardFiles } from './dashboard-files.ts'

const config = { access: 'open', limit: 'anonymous' } as const
const hidden = { config, schema: { hide: true } }
const NONCE_LENGTH = 22

interface DashboardParts {
  readonly random: RandomSource
  /** In the page, for who has not signed in. */
  readonly environment: 'sandbox' | 'live'
}

/**
 * The dashboard: one page for `/` and every path below `/app`, and its assets. Only browsers get the page: for clients
 * that do not accept HTML these paths do not exist. `/dashboard` can mean nothing else (contract 2): it leads a browser
 * to `/` and shows every other client the page.
 */
export function dashboardRoutes(app: App, { random, environment }: DashboardParts): void {
  const files = new DashboardFiles()

  const page = async (reply: FastifyReply): Promise<FastifyReply> => {
    const nonce = randomBase62(random, NONCE_LENGTH)
    setPageHeaders(reply, { styleNonce: nonce, trustedTypes: true })
    reply.header('vary', 'accept')
    const html = (await files.page()).replaceAll('__NONCE__', nonce).replace('__ENVIRONMENT__', environment)
    return reply.type('text/html; charset=utf-8').serializer(String).send(html)
  }
  for (const path of ['/', '/app/*']) {
    app.get(path, hidden, async (request, reply) => {
      if (!isBrowser(request)) throw notFound()
      return page(reply)
    })
  }
  for (const path of ['/dashboard', '/dashboard/']) {
    app.get(path, hidden, async (request, reply) => (isBrowser(request) ? reply.redirect('/', 302) : page(reply)))
  }

  app.get(
    '/assets/:name',
    {
      config,
      schema: { hide: true, params: Type.Object({ name: Type.String({ maxLength: ASSET_NAME_LENGTH_MAX }) }) },
    },
    async (request, reply) => {
      const { name } = request.params as { name: string }
      const file = await files.asset(name, encodingsOf(request))
      if (file === undefined) throw notFound()
      setPageHeaders(reply, { cacheSeconds: DASHBOARD_ASSET_CACHE_SECONDS, immutable: true })
      return sendBytes(reply, file)
    },
  )
}

function isBrowser(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/html') === true
}

function notFound(): Failure {
  return new Failure('NOT_FOUND', { message: 'This path does not exist.' })
}

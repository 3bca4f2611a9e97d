import type { RouteOptions } from 'fastify'
import type { Database } from '../src/database/index.ts'
import { ManualClock, silentLog, systemRandomSource } from '../src/kernel/index.ts'
import { type RouteParts, serveRoutes } from '../src/main/serve-routes.ts'
import {
  type App,
  buildServer,
  type CredentialAuthenticator,
  createMemoryRateLimiter,
} from '../src/surfaces/http/index.ts'
import { CHANGE_SECRETS } from './change-secrets.ts'

/**
 * Registers every route that the service can have, with `preview: false` only those without PREVIEW. Runs no handler, so
 * it needs no database or chain.
 */
export async function everyRoute({ preview = true } = {}): Promise<{ app: App; routes: RouteOptions[] }> {
  const routes: RouteOptions[] = []
  const nothing: unknown = new Proxy({}, { get: () => nothing })
  const app: App = await buildServer({
    db: nothing as Database,
    clock: new ManualClock(),
    log: silentLog,
    random: systemRandomSource,
    publicUrl: 'http://127.0.0.1:3000',
    environment: 'sandbox',
    version: '0.0.0',
    rateLimitMultiplier: 1,
    authenticate: nothing as CredentialAuthenticator,
    rateLimiter: createMemoryRateLimiter(),
    checks: {},
    bodySecret: 'of a test',
    changes: CHANGE_SECRETS,
    routes: (made) => {
      made.addHook('onRoute', (route) => {
        routes.push(route)
      })
      serveRoutes(made, partsWith(nothing, preview))
    },
  })
  return { app, routes }
}

function partsWith(nothing: unknown, preview: boolean): RouteParts {
  const known: Record<string | symbol, unknown> = { preview, publicUrl: 'http://127.0.0.1:3000' }
  return new Proxy({} as RouteParts, { get: (_, name) => (name in known ? known[name] : nothing) })
}

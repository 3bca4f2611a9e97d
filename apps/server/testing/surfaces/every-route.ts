import type { RouteOptions } from 'fastify'
import type { Database } from '../../src/database/index.ts'
import { ManualClock, silentLog, systemRandomSource } from '../../src/kernel/index.ts'
import { type RouteParts, serveRoutes } from '../../src/main/start/serve-routes.ts'
import {
  type App,
  buildServer,
  type CredentialAuthenticator,
  createMemoryRateLimiter,
} from '../../src/surfaces/http/index.ts'
import { CHANGE_SECRETS } from '../changes/change-secrets.ts'

/**
 * Registers every route that the service can have, with `preview: false` only those without PREVIEW, with
 * `sandbox: false` only those of live. Runs no handler, so it needs no database or chain.
 */
export async function everyRoute({
  preview = true,
  sandbox = true,
} = {}): Promise<{ app: App; routes: RouteOptions[] }> {
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
      serveRoutes(made, partsWith(nothing, { preview, sandbox }))
    },
  })
  return { app, routes }
}

function partsWith(nothing: unknown, serves: { preview: boolean; sandbox: boolean }): RouteParts {
  const known = (values: object): object => ({
    get: (_: object, name: string) => (name in values ? values[name as never] : nothing),
  })
  const parts = new Proxy({}, known({ random: systemRandomSource }))
  return new Proxy(
    {} as RouteParts,
    known({
      parts,
      preview: serves.preview,
      publicUrl: 'http://127.0.0.1:3000',
      ...(serves.sandbox ? {} : { sandbox: undefined }),
    }),
  )
}

import type { RouteOptions } from 'fastify'
import { expect, test } from 'vitest'
import type { Database } from '../database/index.ts'
import { ManualClock, silentLog, systemRandom } from '../kernel/index.ts'
import {
  type App,
  AUDITED_OBJECTS,
  type Authenticate,
  buildServer,
  isAudited,
  memoryLimits,
} from '../surfaces/http/index.ts'
import { type ServedParts, serveRoutes } from './routes.ts'

/** Every route that the service has, as it is registered. Nothing behind it runs, so it needs nothing to run on. */
async function allRoutes(): Promise<RouteOptions[]> {
  const found: RouteOptions[] = []
  const nothing: unknown = new Proxy({}, { get: () => nothing })
  const app: App = await buildServer({
    db: nothing as Database,
    clock: new ManualClock(),
    log: silentLog,
    random: systemRandom,
    publicUrl: 'http://127.0.0.1:3000',
    environment: 'sandbox',
    version: '0.0.0',
    rateLimitMultiplier: 1,
    authenticate: nothing as Authenticate,
    limits: memoryLimits(),
    checks: {},
    bodySecret: 'of a test',
    routes: (made) => {
      made.addHook('onRoute', (route) => {
        found.push(route)
      })
      serveRoutes(made, nothing as ServedParts)
    },
  })
  await app.close()
  return found
}

/** What changes nothing that anybody asks for later, and why it is no entry. */
const NOT_WRITTEN = [
  // Only asks.
  'evaluateApprovalPolicy',
  'previewRebalance',
  // Every hour of every session, and it gives nobody what they did not have.
  'refreshSession',
]

test('every request that changes something on core is written into the audit log, under a name and a kind', async () => {
  const core = (await allRoutes()).filter(({ method, url, config }) => {
    const access = config?.access
    const isCore = url.startsWith('/api/core/auth/') || (typeof access === 'object' && access.surface === 'core')
    return isCore && method !== 'GET' && method !== 'HEAD'
  })
  const nameOf = ({ schema }: RouteOptions) => (schema as { operationId?: string } | undefined)?.operationId
  const written = core.filter((route) => isAudited(String(route.method), route.config!))
  expect(
    core
      .filter((route) => !written.includes(route))
      .map(nameOf)
      .sort(),
  ).toEqual(NOT_WRITTEN)
  expect(written.length).toBeGreaterThan(20)
  for (const route of written) {
    expect(nameOf(route), route.url).toBeDefined()
    const as = route.config!.audit || {}
    const kind = as.object ?? AUDITED_OBJECTS[route.url.split('/')[3] ?? '']
    expect(kind, `${route.url} has no kind of object`).toBeDefined()
  }
})

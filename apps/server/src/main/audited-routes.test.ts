import type { RouteOptions } from 'fastify'
import { expect, test } from 'vitest'
import { everyRoute } from '../../testing/every-route.ts'
import { AUDITED_OBJECTS, isAudited } from '../surfaces/http/index.ts'

/** What changes nothing that anybody asks for later, and why it is no entry. */
const NOT_WRITTEN = [
  // Only asks.
  'evaluateApprovalPolicy',
  'previewRebalance',
  // Every hour of every session, and it gives nobody what they did not have.
  'refreshSession',
]

test('every request that changes something on core is written into the audit log, under a name and a kind', async () => {
  const { app, routes } = await everyRoute()
  await app.close()
  const core = routes.filter(({ method, url, config }) => {
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

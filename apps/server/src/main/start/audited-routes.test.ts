import type { RouteOptions } from 'fastify'
import { expect, test } from 'vitest'
import { everyRoute } from '../../../testing/surfaces/every-route.ts'
import { AUDITED_OBJECTS, isAudited } from '../../surfaces/http/index.ts'

/** Routes that change nothing worth auditing, with the reason. */
const NOT_WRITTEN = [
  // Options for a browser; the ceremony's result has its entry.
  'beginPasskey',
  'beginPasskeySignIn',
  'beginStepUp',
  // A query.
  'dryRunApprovalPolicy',
  'evaluateApprovalPolicy',
  'previewRebalance',
  // Every session refreshes hourly, and a refresh grants nothing new.
  'refreshSession',
  // The lease has its entry.
  'renewLease',
  // Nothing shows whether the address has an account; the confirmation is audited.
  'requestPasswordReset',
]

test('every request that changes something writes an audit entry with an action and an object type', async () => {
  const { app, routes } = await everyRoute()
  await app.close()
  const writing = routes.filter(({ method, url, config }) => {
    const access = config?.access
    const writes =
      url.startsWith('/api/core/auth/') ||
      (typeof access === 'object' &&
        (access.surface === 'v1' ? access.needs === 'write' : access.surface !== 'validate'))
    return writes && method !== 'GET' && method !== 'HEAD'
  })
  const nameOf = ({ schema }: RouteOptions) => (schema as { operationId?: string } | undefined)?.operationId
  const written = writing.filter((route) => isAudited(String(route.method), route.config!))
  expect(
    writing
      .filter((route) => !written.includes(route))
      .map(nameOf)
      .sort(),
  ).toEqual(NOT_WRITTEN)
  expect(written.length).toBeGreaterThan(50)
  for (const route of written) {
    expect(nameOf(route), route.url).toBeDefined()
    const as = route.config!.audit || {}
    if (as.byVerb) continue
    const kind = as.object ?? AUDITED_OBJECTS[route.url.split('/')[3] ?? '']
    expect(kind, `${route.url} has no object type`).toBeDefined()
  }
})

import type { AddressInfo } from 'node:net'
import { emit, inTransaction, type NewEvent } from '../../src/database/index.ts'
import { createSealer, systemRandomSource } from '../../src/kernel/index.ts'
import { coreEventRoutes } from '../../src/surfaces/core/webhooks/events.ts'
import {
  type App,
  buildServer,
  type CredentialAuthenticator,
  createMemoryRateLimiter,
} from '../../src/surfaces/http/index.ts'
import { v1EventRoutes } from '../../src/surfaces/v1/events.ts'
import { createEventFeed, relayEvents } from '../../src/webhooks/index.ts'
import { CHANGE_SECRETS } from '../changes/change-secrets.ts'
import type { IdentityFixture } from '../identity/identity-fixture.ts'

/** What routes of events need. */
export const eventParts = (parts: IdentityFixture) => ({
  db: parts.db,
  events: createSealer('5e'.repeat(32), 'events', systemRandomSource),
  log: parts.log,
  feed: createEventFeed(parts),
})

/** The routes of events on a port. `onHandled` runs when a request reaches its handler. */
export async function serveEvents(
  parts: IdentityFixture,
  authenticate: CredentialAuthenticator,
  onHandled = () => {},
): Promise<{ app: App; url: string }> {
  const events = eventParts(parts)
  const app = await buildServer({
    ...parts,
    publicUrl: 'http://127.0.0.1:3000',
    version: '0.0.0',
    rateLimitMultiplier: 1_000,
    authenticate,
    rateLimiter: createMemoryRateLimiter(),
    checks: {},
    bodySecret: 'of a test',
    changes: CHANGE_SECRETS,
    // Longer than any test: nothing here may wait for it.
    drainMs: 300_000,
    routes: (made) => {
      made.addHook('preHandler', async () => onHandled())
      v1EventRoutes(made, events)
      coreEventRoutes(made, events)
    },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` }
}

/** Publishes an event, of the ramp by default, and returns its id. */
export async function tellEvent(
  parts: IdentityFixture,
  told: Pick<NewEvent, 'organizationId' | 'event' | 'objectId' | 'data'> & Partial<Pick<NewEvent, 'objectType'>>,
): Promise<number> {
  const one = { objectType: 'ramp_transaction', ...told, at: parts.clock.now() }
  const [id = 0] = await inTransaction(parts.db, (tx) => emit(tx, [one]))
  await relayEvents(parts)
  return id
}

import Type from 'typebox'
import type { Credential, KeyCredential, UserCredential } from '../../../identity/index.ts'
import { createSealer, Failure, ManualClock, silentLog, systemRandomSource } from '../../../kernel/index.ts'
import type { App, CredentialAuthenticator, ServerOptions } from '../app.ts'
import { createMemoryRateLimiter } from '../limits/memory-rate-limiter.ts'
import type { HttpMetrics } from '../metrics/metrics.ts'
import { buildServer } from './build-server.ts'

const key = (keyId: number, scope: KeyCredential['scope'], rateLimitOverrides = {}): KeyCredential => ({
  kind: 'key',
  organizationId: 7,
  keyId,
  scope,
  walletProfileId: scope === 'profile' ? 3 : null,
  permissions: null,
  rateLimitOverrides,
})

const user = (userId: number, role: UserCredential['role']): UserCredential => ({
  kind: 'user',
  organizationId: 7,
  userId,
  sessionId: userId,
  role,
  rateLimitOverrides: {},
})

/** Credentials by key or token. */
const CREDENTIALS: Record<string, Credential> = {
  'profile-key': key(1, 'profile'),
  'other-profile-key': { ...key(6, 'profile'), walletProfileId: 4 },
  'admin-key': key(2, 'admin'),
  'organization-key': key(3, 'organization'),
  'reading-key': { ...key(8, 'organization'), permissions: ['read'] },
  'planning-key': { ...key(9, 'organization'), permissions: ['plan'] },
  'agent-key': { ...key(10, 'organization'), permissions: ['agent'] },
  'raised-key': key(4, 'organization', { 'v1.write': 45 }),
  'other-organization-key': { ...key(5, 'organization'), organizationId: 8 },
  owner: user(1, 'owner'),
  viewer: user(2, 'viewer'),
}

const authenticate: CredentialAuthenticator = {
  async key(text) {
    if (text === 'revoked-key') throw new Failure('API_KEY_DISABLED')
    if (text === 'orphan-key') throw new Failure('ORGANIZATION_NOT_FOUND')
    const found = CREDENTIALS[text]
    if (found?.kind !== 'key') throw new Failure('INVALID_API_KEY')
    return found
  },
  async bearer(token) {
    const found = CREDENTIALS[token]
    if (found?.kind !== 'user') throw new Failure('UNAUTHORIZED')
    return found
  },
}

/** The server and the clock that the test controls. */
export interface TestServer {
  readonly app: App
  readonly clock: ManualClock
}

/** A server with the test's routes, ready for `app.inject`. Without `db`, no route may be idempotent. */
export async function testServer(
  routes: (app: App) => void,
  options: Partial<Omit<ServerOptions, 'clock' | 'routes'>> = {},
  metrics?: HttpMetrics,
): Promise<TestServer> {
  const clock = new ManualClock()
  const all = {
    publicUrl: 'http://127.0.0.1:3000',
    environment: 'sandbox',
    version: '1.2.3',
    rateLimitMultiplier: 1,
    db: undefined as never,
    log: silentLog,
    random: systemRandomSource,
    authenticate,
    rateLimiter: createMemoryRateLimiter(),
    checks: {},
    bodySecret: 'of a test',
    changes: {
      sealer: createSealer('ab'.repeat(32), 'change requests', systemRandomSource),
      fingerprintKey: 'cd'.repeat(32),
    },
    ...options,
    clock,
    routes,
  } as const
  const app = await buildServer(all, metrics)
  await app.ready()
  return { app, clock }
}

/** Access and rate limit of a v1 route that writes. */
export const v1Write = { access: { surface: 'v1', needs: 'write', permission: 'plan' }, limit: 'v1.write' } as const
export const v1Read = { access: { surface: 'v1', needs: 'read', permission: 'read' }, limit: 'v1.read' } as const

/** The body of a test supply. */
export const Amount = Type.Object(
  { amount: Type.String({ minLength: 1, description: 'Base units.' }) },
  { $id: 'TestAmount', description: 'An amount.' },
)

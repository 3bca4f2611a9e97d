import Type from 'typebox'
import type { Credential, KeyCredential, UserCredential } from '../../identity/index.ts'
import { Failure, ManualClock, silentLog, systemRandom } from '../../kernel/index.ts'
import type { App, Authenticate, ServerOptions } from './app.ts'
import { memoryLimits } from './memory-limits.ts'
import { buildServer } from './server.ts'

const key = (keyId: number, scope: KeyCredential['scope'], raisedLimits = {}): KeyCredential => ({
  kind: 'key',
  organizationId: 7,
  keyId,
  scope,
  walletProfileId: scope === 'profile' ? 3 : null,
  raisedLimits,
})

const user = (userId: number, role: UserCredential['role']): UserCredential => ({
  kind: 'user',
  organizationId: 7,
  userId,
  sessionId: userId,
  role,
  raisedLimits: {},
})

/** Credentials by the text that presents them. */
const KNOWN: Record<string, Credential> = {
  'profile-key': key(1, 'profile'),
  'other-profile-key': { ...key(6, 'profile'), walletProfileId: 4 },
  'admin-key': key(2, 'admin'),
  'organization-key': key(3, 'organization'),
  'raised-key': key(4, 'organization', { 'v1.write': 45 }),
  'other-organization-key': { ...key(5, 'organization'), organizationId: 8 },
  owner: user(1, 'owner'),
  viewer: user(2, 'viewer'),
}

const authenticate: Authenticate = {
  async key(text) {
    if (text === 'revoked-key') throw new Failure('API_KEY_DISABLED')
    if (text === 'orphan-key') throw new Failure('ORGANIZATION_NOT_FOUND')
    const found = KNOWN[text]
    if (found?.kind !== 'key') throw new Failure('INVALID_API_KEY')
    return found
  },
  async bearer(token) {
    const found = KNOWN[token]
    if (found?.kind !== 'user') throw new Failure('UNAUTHORIZED')
    return found
  },
}

/** What a test gets: the server, and the parts it may turn. */
export interface TestServer {
  readonly app: App
  readonly clock: ManualClock
}

/** A server whose routes are the test's, ready for `app.inject`. Without `db`, no route may be idempotent. */
export async function testServer(
  routes: (app: App) => void,
  options: Partial<Omit<ServerOptions, 'clock' | 'routes'>> = {},
): Promise<TestServer> {
  const clock = new ManualClock()
  const app = await buildServer({
    publicUrl: 'http://127.0.0.1:3000',
    environment: 'sandbox',
    version: '1.2.3',
    rateLimitMultiplier: 1,
    db: undefined as never,
    log: silentLog,
    random: systemRandom,
    authenticate,
    limits: memoryLimits(),
    checks: {},
    bodySecret: 'of a test',
    ...options,
    clock,
    routes,
  })
  await app.ready()
  return { app, clock }
}

/** The access of a v1 route that writes, and its limit. */
export const v1Write = { access: { surface: 'v1', needs: 'write' }, limit: 'v1.write' } as const
export const v1Read = { access: { surface: 'v1', needs: 'read' }, limit: 'v1.read' } as const

/** A supply as tests send it. */
export const Amount = Type.Object(
  { amount: Type.String({ minLength: 1, description: 'Base units.' }) },
  { $id: 'TestAmount', description: 'An amount.' },
)

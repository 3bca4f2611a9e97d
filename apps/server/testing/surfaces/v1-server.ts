import type { Role } from '../../src/database/index.ts'
import type { Scope } from '../../src/identity/index.ts'
import { Failure, silentLog, systemRandomSource } from '../../src/kernel/index.ts'
import type { Parts } from '../../src/operations/index.ts'
import { type App, buildServer, createMemoryRateLimiter } from '../../src/surfaces/http/index.ts'
import { v1Routes } from '../../src/surfaces/v1/index.ts'
import { CHANGE_SECRETS } from '../changes/change-secrets.ts'
import { recordAnswers } from './record-example.ts'

export interface V1Answer {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly body: ReturnType<typeof JSON.parse>
}

/** The v1 surface over a test's database and chains. Each scope has a key. */
export interface V1Server {
  readonly app: App
  get(who: KeyOwner, url: string): Promise<V1Answer>
  post(who: KeyOwner, url: string, body: unknown, idempotencyKey?: string): Promise<V1Answer>
  /** A GET by the browser of a member with this role. */
  browse(role: Role, who: KeyOwner, url: string): Promise<V1Answer>
  close(): Promise<void>
}

interface KeyOwner {
  readonly scope: Scope
  /** An admin key: it reads everything and writes nothing. */
  readonly readsOnly?: boolean
}

export const PUBLIC_URL = 'https://weir.example'

export async function v1Server(parts: Parts): Promise<V1Server> {
  const browsers = new Map<string, { readonly organizationId: number; readonly role: Role }>()
  const app = await buildServer({
    publicUrl: PUBLIC_URL,
    environment: 'sandbox',
    version: '0.0.0',
    rateLimitMultiplier: 1_000,
    db: parts.db,
    clock: parts.clock,
    log: silentLog,
    random: systemRandomSource,
    authenticate: {
      async key(text) {
        const { organizationId, walletProfileId, scope } = JSON.parse(text)
        const key = { organizationId, keyId: organizationId, scope, walletProfileId }
        return { kind: 'key', ...key, permissions: null, rateLimitOverrides: {} }
      },
      async bearer() {
        throw new Failure('UNAUTHORIZED')
      },
      async cookie(value) {
        const member = browsers.get(value)
        if (member === undefined) throw new Failure('UNAUTHORIZED')
        return { kind: 'user', userId: 1, sessionId: 1, ...member, rateLimitOverrides: {} }
      },
    },
    rateLimiter: createMemoryRateLimiter(),
    checks: {},
    bodySecret: 'of a test',
    changes: CHANGE_SECRETS,
    routes: (made) => {
      recordAnswers(made)
      v1Routes(made, parts, PUBLIC_URL)
    },
  })
  await app.ready()
  const call = async (
    method: 'GET' | 'POST',
    { scope: sight, readsOnly }: KeyOwner,
    url: string,
    sent: object = {},
  ) => {
    const scope = readsOnly ? 'admin' : sight.walletProfileId === null ? 'organization' : 'profile'
    const { headers, ...rest } = { headers: {}, ...sent }
    const key = JSON.stringify({ ...sight, scope })
    const answer = await app.inject({ method, url, headers: { 'x-api-key': key, ...headers }, ...rest })
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
  }
  return {
    app,
    get: (who, url) => call('GET', who, url),
    post: (who, url, body, once) =>
      call('POST', who, url, { payload: body, ...(once && { headers: { 'idempotency-key': once } }) }),
    async browse(role, { scope: { organizationId } }, url) {
      const value = String(browsers.size).padStart(43, '0')
      browsers.set(value, { organizationId, role })
      const answer = await app.inject({ method: 'GET', url, headers: { cookie: `__Host-weir-session=${value}` } })
      return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
    },
    close: () => app.close(),
  }
}

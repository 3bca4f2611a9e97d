import { authenticatorOf, type IdentityParts, KeyUsage } from '../../src/identity/index.ts'
import { ringOf, silentLog, systemRandomSource } from '../../src/kernel/index.ts'
import type { Parts } from '../../src/operations/index.ts'
import { type App, buildServer, createMemoryRateLimiter } from '../../src/surfaces/http/index.ts'
import { type Contract, createContract } from '../../system/money/contract.ts'
import { CHANGE_SECRETS } from '../changes/change-secrets.ts'
import { FACTOR_SETTINGS } from '../identity/factor-settings.ts'
import { SESSION_LIMITS } from '../identity/identity-fixture.ts'
import type { EngineFixture } from '../operations/engine-fixture.ts'
import type { CoreAnswer, CoreRequest } from './core-server.ts'

/** The core surface over an engine's database and chain. Every response must match its `/openapi.json`. */
export interface CoreSurfaceServer {
  /** To create organizations, people and keys in the same database. */
  readonly parts: Parts & IdentityParts & Pick<EngineFixture, 'clock'>
  readonly app: App
  call(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, request?: CoreRequest): Promise<CoreAnswer>
  close(): Promise<void>
}

export async function coreSurfaceServer(
  engine: EngineFixture,
  routes: (app: App, parts: Parts & IdentityParts) => void,
): Promise<CoreSurfaceServer> {
  const { clock } = engine
  const parts = {
    ...engine.parts,
    clock,
    usage: new KeyUsage({ db: engine.db, clock, log: silentLog }),
    random: systemRandomSource,
    secrets: {
      jwt: ringOf('a-secret-of-the-tests-for-access-tokens'),
      pepper: ringOf('a-pepper-of-the-tests'),
    },
    environment: 'sandbox' as const,
    sessionLimits: SESSION_LIMITS,
    assignedPasswords: 'lasting' as const,
    factors: FACTOR_SETTINGS,
  }
  const app = await buildServer({
    publicUrl: 'http://127.0.0.1:3000',
    environment: parts.environment,
    version: '0.0.0',
    rateLimitMultiplier: 1_000,
    db: engine.db,
    clock,
    log: silentLog,
    random: systemRandomSource,
    authenticate: authenticatorOf(parts),
    rateLimiter: createMemoryRateLimiter(),
    checks: {},
    bodySecret: 'of a test',
    changes: CHANGE_SECRETS,
    routes: (made) => routes(made, parts),
  })
  await app.ready()
  const document = await app.inject({ method: 'GET', url: '/openapi.json' })
  const contract = createContract(document.json() as Contract['document'])
  return {
    parts,
    app,
    async call(method, url, { token, key, idempotencyKey, changeRequestId, body } = {}) {
      const sent = body === undefined ? undefined : JSON.stringify(body)
      const answer = await app.inject({
        method,
        url,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(key === undefined ? {} : { 'x-api-key': key }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
          ...(changeRequestId === undefined ? {} : { 'change-request-id': String(changeRequestId) }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(sent === undefined ? {} : { payload: sent }),
      })
      const { statusCode: status, headers, body: text } = answer
      const fields = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
      const breaches = contract.breaches({ method, path: url, status, headers: new Headers(fields), text, sent })
      if (breaches.length > 0) throw new Error(`${method} ${url} → ${status}: ${breaches.join('; ')}\n${text}`)
      return { status, headers, body: answer.json() }
    },
    async close() {
      await app.close()
      await parts.usage.flush()
    },
  }
}

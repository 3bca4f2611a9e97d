import type { LightMyRequestResponse } from 'fastify'
import {
  addMember,
  authenticatorOf,
  type IdentityParts,
  KeyErrors,
  KeyRequests,
  SecurityEvents,
  type UserCredential,
} from '../../src/identity/index.ts'
import { type App, buildServer, createMemoryRateLimiter, type ServerOptions } from '../../src/surfaces/http/index.ts'
import { CHANGE_SECRETS } from '../changes/change-secrets.ts'
import { type IdentityFixture, identityFixture, organization, PASSWORD } from '../identity/identity-fixture.ts'
import { logIn } from '../identity/log-in.ts'
import { recordAnswers } from './record-example.ts'

type Role = UserCredential['role']

/** A core route's response with its body parsed. */
export interface CoreAnswer {
  readonly status: number
  readonly headers: LightMyRequestResponse['headers']
  readonly body: ReturnType<typeof JSON.parse>
}

/** What a test sends in addition to method and path. */
export interface CoreRequest {
  readonly token?: string
  readonly key?: string
  readonly idempotencyKey?: string
  readonly changeRequestId?: number | string
  readonly body?: unknown
  readonly address?: string
}

/** A real server with real identity on a separate database. */
export interface CoreServer {
  readonly parts: IdentityFixture
  readonly app: App
  call(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, request?: CoreRequest): Promise<CoreAnswer>
  close(): Promise<void>
}

export type Routes = (app: App, parts: IdentityFixture) => void

/** Rate limits are effectively off unless a test sets them. */
export async function coreServer(
  routes: Routes,
  rateLimitMultiplier = 1_000,
  options: Pick<ServerOptions, 'credentialFreshMs'> = {},
): Promise<CoreServer> {
  const parts = await identityFixture()
  const app = await buildServer({
    publicUrl: 'http://127.0.0.1:3000',
    environment: parts.environment,
    version: '0.0.0',
    rateLimitMultiplier,
    db: parts.db,
    clock: parts.clock,
    log: parts.log,
    random: parts.random,
    authenticate: authenticatorOf(parts),
    rateLimiter: createMemoryRateLimiter(),
    checks: {},
    securityEvents: new SecurityEvents(parts),
    keyErrors: new KeyErrors(parts),
    keyRequests: new KeyRequests(parts),
    bodySecret: 'of a test',
    changes: CHANGE_SECRETS,
    ...options,
    routes: (made) => {
      recordAnswers(made)
      routes(made, parts)
    },
  })
  await app.ready()
  return {
    parts,
    app,
    async call(method, url, { token, key, idempotencyKey, changeRequestId, body, address = '192.0.2.1' } = {}) {
      const response = await app.inject({
        method,
        url,
        remoteAddress: address,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(key === undefined ? {} : { 'x-api-key': key }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
          ...(changeRequestId === undefined ? {} : { 'change-request-id': String(changeRequestId) }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      })
      return { status: response.statusCode, headers: response.headers, body: response.json() }
    },
    async close() {
      await app.close()
      await parts.close()
    },
  }
}

/** An organization with one signed-in member per role. Returns their access tokens and ids by role. */
export async function staffedOrganization(parts: IdentityParts) {
  const { owner, accessToken, refreshToken, user } = await organization(parts)
  const tokens: Record<Role, string> = { owner: accessToken, admin: '', approver: '', viewer: '' }
  const ids: Record<Role, number> = { owner: user.id, admin: 0, approver: 0, viewer: 0 }
  for (const role of ['admin', 'approver', 'viewer'] as const) {
    const email = `${role}.of.${owner.organizationId}@acme.example`
    ids[role] = (await addMember(parts, owner, { email, role, password: PASSWORD })).id
    tokens[role] = (await logIn(parts, { email, password: PASSWORD, address: '192.0.2.9' })).accessToken
  }
  return { organizationId: owner.organizationId, email: user.email, owner, refreshToken, tokens, ids }
}

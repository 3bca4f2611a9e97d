import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import type { IdentityParts } from '../../src/identity/index.ts'
import { authenticatorOf, KeyUsage } from '../../src/identity/index.ts'
import { ringOf, silentLog } from '../../src/kernel/index.ts'
import { apiKeyRoutes } from '../../src/surfaces/core/identity/keys/api-keys.ts'
import { serviceAccountRoutes } from '../../src/surfaces/core/identity/keys/service-accounts.ts'
import { erasureRoutes } from '../../src/surfaces/core/identity/organization/erasure.ts'
import { memberRoutes } from '../../src/surfaces/core/identity/organization/members.ts'
import { organizationRoutes } from '../../src/surfaces/core/identity/organization/organization.ts'
import { authRoutes } from '../../src/surfaces/core/identity/sessions/auth.ts'
import {
  changePolicyRoutes,
  changeRequestRoutes,
  destinationRoutes,
  webhookRoutes,
} from '../../src/surfaces/core/index.ts'
import { approvalPolicyRoutes } from '../../src/surfaces/core/operations/approval-policy.ts'
import { buildServer, createMemoryRateLimiter } from '../../src/surfaces/http/index.ts'
import { rampRoutes } from '../../src/surfaces/v1/index.ts'
import { CHANGE_SECRETS } from '../../testing/changes/change-secrets.ts'
import { FACTOR_SETTINGS } from '../../testing/identity/factor-settings.ts'
import { SESSION_LIMITS } from '../../testing/identity/identity-fixture.ts'
import { openRampDatabase, type RampDatabase } from '../../testing/ramp/ramp-database.ts'
import { type ChangeTracker, trackChanges } from '../fuzzing/track-changes.ts'
import { type Contract, createContract } from '../money/contract.ts'
import { createClient, type HttpClient, type HttpResponse, type Refusal, withKey, withToken } from './client.ts'

export const PASSWORD = 'correct horse battery'

/** A service whose organizations can demand approvals, over HTTP, with a clock that only tests advance. */
export interface DutiesService {
  readonly parts: RampDatabase['parts'] & IdentityParts
  readonly clock: RampDatabase['clock']
  readonly changes: ChangeTracker
  as(identity: Readonly<Record<string, string>>): HttpClient
  staffed(): Promise<Staff>
  /** Expects a refusal with this status and `details.reason`, and that nothing changed. */
  expectRefused(answer: Promise<HttpResponse<Refusal>>, status: number, reason?: string): Promise<void>
  stop(): Promise<void>
}

type Role = 'owner' | 'admin' | 'approver' | 'viewer'
export interface Staff {
  /** Part of its members' addresses. */
  readonly number: number
  readonly organizationId: number
  readonly ids: Record<Role | 'second', number>
  readonly people: Record<Role | 'second', HttpClient>
  /** An organization key that the admin generated. */
  readonly key: HttpClient
}

interface Created {
  readonly data: { readonly id: number; readonly apiKey: string }
}

export async function startDutiesService(): Promise<DutiesService> {
  const database = await openRampDatabase()
  const parts: DutiesService['parts'] = {
    ...database.parts,
    usage: new KeyUsage({ db: database.parts.db, clock: database.clock, log: silentLog }),
    secrets: { jwt: ringOf('a-secret-of-the-tests-for-access-tokens'), pepper: ringOf('a-pepper-of-the-tests') },
    environment: 'sandbox',
    sessionLimits: SESSION_LIMITS,
    assignedPasswords: 'lasting',
    factors: FACTOR_SETTINGS,
  }
  const oneTime = { ...parts, assignedPasswords: 'one-time' as const }
  const app = await buildServer({
    ...parts,
    publicUrl: 'http://127.0.0.1:3000',
    version: '0.0.0',
    rateLimitMultiplier: 1_000,
    authenticate: authenticatorOf(parts),
    rateLimiter: createMemoryRateLimiter(),
    checks: {},
    bodySecret: 'of a test',
    changes: CHANGE_SECRETS,
    routes: (made) => {
      authRoutes(made, parts)
      memberRoutes(made, oneTime)
      organizationRoutes(made, parts)
      erasureRoutes(made, parts)
      apiKeyRoutes(made, parts)
      serviceAccountRoutes(made, parts)
      approvalPolicyRoutes(made, parts)
      changePolicyRoutes(made, { ...parts, ...CHANGE_SECRETS })
      changeRequestRoutes(made, { ...parts, ...CHANGE_SECRETS })
      destinationRoutes(made, parts)
      webhookRoutes(made, { ...parts, events: CHANGE_SECRETS.sealer, rules: { allowLocal: true, allowed: [] } })
      rampRoutes(made, parts, 'http://127.0.0.1:3000')
    },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const contract = createContract((await (await fetch(`${url}/openapi.json`)).json()) as Contract['document'])
  const as: DutiesService['as'] = (identity) =>
    createClient(
      () => url,
      () => contract,
      identity,
    )
  const changes = await trackChanges(parts.db)
  return {
    parts,
    clock: database.clock,
    changes,
    as,
    expectRefused: (answer, status, reason) => expectRefusal(changes, answer, status, reason),
    staffed: () => createStaff({ parts, as }),
    async stop() {
      await app.close()
      await parts.usage.flush()
      await database.close()
    },
  }
}

let organizations = 0

/** An organization with members who set their own passwords long ago, a verified business and a wallet on base. */
async function createStaff({ parts, as }: Pick<DutiesService, 'parts' | 'as'>): Promise<Staff> {
  organizations += 1
  const number = organizations
  const email = (role: string) => `${role}${number}@acme.example`
  const anyone = as({})
  const registration = { email: email('owner'), password: PASSWORD, organizationName: 'Acme' }
  const { body } = await anyone.post<{ data: { organization: { id: number }; user: { id: number } } }>(
    '/api/core/auth/register',
    registration,
  )
  const organizationId = body.data.organization.id
  const logIn = async (role: string) => {
    const login = { email: email(role), password: PASSWORD }
    return as(
      withToken(
        (await anyone.post<{ data: { accessToken: string } }>('/api/core/auth/login', login)).body.data.accessToken,
      ),
    )
  }
  const owner = await logIn('owner')
  const ids: Record<string, number> = { owner: body.data.user.id }
  const people: Record<string, HttpClient> = { owner }
  for (const [name, role] of Object.entries({
    admin: 'admin',
    approver: 'approver',
    second: 'approver',
    viewer: 'viewer',
  })) {
    const member = { email: email(name), role, password: PASSWORD }
    ids[name] = (await owner.post<Created>('/api/core/members', member)).body.data.id
  }
  await parts.db
    .updateTable('users')
    .set({ password_change_required: false, password_expires_at: null, approves_after: null })
    .where('organization_id', '=', organizationId)
    .execute()
  for (const name of ['admin', 'approver', 'second', 'viewer']) people[name] = await logIn(name)
  const made = await people.admin!.post<Created>('/api/core/apikeys/generate', { name: 'ramp' })
  return { number, organizationId, ids, people, key: as(withKey(made.body.data.apiKey)) } as unknown as Staff
}

/** Expects a refusal with this status and `details.reason`, and that nothing changed. */
async function expectRefusal(
  changes: ChangeTracker,
  answer: Promise<HttpResponse<Refusal>>,
  status: number,
  reason?: string,
): Promise<void> {
  const { status: returned, body, text } = await answer
  expect([returned, reason === undefined ? undefined : body.details?.reason], text).toEqual([status, reason])
  expect(await changes.drain(), text).toEqual([])
}

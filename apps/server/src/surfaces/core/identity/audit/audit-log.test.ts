import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD } from '../../../../../testing/identity/identity-fixture.ts'
import { type CoreServer, coreServer, staffedOrganization } from '../../../../../testing/surfaces/core-server.ts'
import { verifyAuditLogs } from '../../../../identity/index.ts'
import { approvalPolicyRoutes } from '../../operations/approval-policy.ts'
import { apiKeyRoutes } from '../keys/api-keys.ts'
import { walletProfileRoutes } from '../keys/wallet-profiles.ts'
import { memberRoutes } from '../organization/members.ts'
import { organizationRoutes } from '../organization/organization.ts'
import { authRoutes } from '../sessions/auth.ts'
import { auditLogRoutes } from './audit-log.ts'

let server: CoreServer
let staff: Awaited<ReturnType<typeof staffedOrganization>>
beforeAll(async () => {
  server = await coreServer((app, parts) => {
    for (const routes of [
      authRoutes,
      memberRoutes,
      apiKeyRoutes,
      walletProfileRoutes,
      approvalPolicyRoutes,
      auditLogRoutes,
    ])
      routes(app, parts)
    organizationRoutes(app, parts)
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  staff = await staffedOrganization(server.parts)
})

type Method = Parameters<CoreServer['call']>[0]
type Entry = {
  action: string
  actor: { type: string; id: number; name: string }
  object: { type: string; id: number | null }
  from: string
  details: Record<string, unknown> | null
  at: string
}
const call = (method: Method, path: string, body?: unknown, more: object = {}) =>
  server.call(method, `/api/core/${path}`, { token: staff.tokens.owner, body, ...more })
async function log(query = ''): Promise<Entry[]> {
  const { status, body } = await call('GET', `audit-log${query}`)
  expect(status).toBe(200)
  return body.data.entries
}
const policy = (mode: string) => ({ mode, rules: [], default: 'approve', requiredApprovals: 1 })

test('every request that changes something is recorded with actor, action, object, time and address', async () => {
  const since = server.parts.clock.now().toISOString()
  const member = (
    await call('POST', 'members', { email: `m@${staff.organizationId}.example`, role: 'viewer', password: PASSWORD })
  ).body.data
  await call('PATCH', `members/${member.id}`, { role: 'approver' })
  await call('DELETE', `members/${member.id}`)
  const key = (await call('POST', 'apikeys/generate', { name: 'A key' })).body.data
  await call('DELETE', `apikeys/${key.id}`)
  const profile = (await call('POST', 'wallet-profiles', { name: 'A profile' })).body.data
  await call('PATCH', `wallet-profiles/${profile.id}`, { name: 'Another name' })
  await call('DELETE', `wallet-profiles/${profile.id}`)
  await call('PUT', 'approval-policy', policy('manual'))
  const login = await call('POST', 'auth/login', { email: staff.email, password: PASSWORD }, { address: '2001:db8::7' })
  await call('POST', 'auth/logout', undefined, { token: login.body.data.accessToken })

  const entries = (await log(`?from=${since}`)).reverse()
  const owner = staff.ids.owner
  const brief = entries.map(({ action, object, details }) => [action, object.type, object.id, details])
  expect(brief).toEqual([
    ['addMember', 'member', member.id, { role: 'viewer' }],
    ['changeMember', 'member', member.id, { role: 'approver' }],
    ['removeMember', 'member', member.id, null],
    [
      'generateApiKey',
      'api_key',
      key.id,
      { scope: 'organization', walletProfileId: null, permissions: null, expiresAt: null },
    ],
    ['deleteApiKey', 'api_key', key.id, null],
    ['createWalletProfile', 'wallet_profile', profile.id, null],
    ['changeWalletProfile', 'wallet_profile', profile.id, null],
    ['deleteWalletProfile', 'wallet_profile', profile.id, null],
    ['changeApprovalPolicy', 'approval_policy', null, { version: 1 }],
    ['logIn', 'member', owner, null],
    ['logOut', 'member', owner, null],
  ])
  expect(new Set(entries.map(({ actor }) => JSON.stringify(actor)))).toEqual(
    new Set([JSON.stringify({ type: 'user', id: owner, name: staff.email })]),
  )
  expect(entries.map(({ from }) => from)).toEqual([...Array(9).fill('192.0.2.1'), '2001:db8::7', '192.0.2.1'])
  expect(new Set(entries.map(({ at }) => at))).toEqual(new Set([since]))
})

test('registration starts the log, and deleting the organization ends it', async () => {
  const body = { email: 'new@audit.example', password: PASSWORD, organizationName: 'New' }
  const { data } = (await server.call('POST', '/api/core/auth/register', { body })).body
  const token = data.accessToken
  const first = await server.call('GET', '/api/core/audit-log', { token })
  expect(first.body.data.entries).toMatchObject([
    {
      id: 1,
      action: 'register',
      actor: { id: data.user.id },
      object: { type: 'organization', id: data.organization.id },
    },
  ])
  await server.call('DELETE', '/api/core/organization', { token, body: { name: 'New' } })
  const rows = await server.parts.db
    .selectFrom('audit_log')
    .select(['id', 'action', 'object_id'])
    .where('organization_id', '=', data.organization.id)
    .execute()
  expect(rows.at(-1)).toEqual({ id: 2, action: 'deleteOrganization', object_id: data.organization.id })
})

test('refused requests, reads, refreshes and replays are not recorded', async () => {
  const before = await log()
  await call('POST', 'members', { email: 'x' })
  await call(
    'POST',
    'members',
    { email: 'a@b.example', role: 'viewer', password: PASSWORD },
    { token: staff.tokens.viewer },
  )
  await call('DELETE', 'members/999999')
  await call('POST', 'auth/login', { email: staff.email, password: 'a wrong password' })
  await call('POST', 'approval-policy/evaluate', {})
  await call('POST', 'auth/refresh', { refreshToken: staff.refreshToken })
  await call('GET', 'members')
  expect(await log()).toEqual(before)
  const idempotencyKey = `k-${staff.organizationId}`
  const first = await call('POST', 'apikeys/generate', { name: 'once' }, { idempotencyKey })
  const again = await call('POST', 'apikeys/generate', { name: 'once' }, { idempotencyKey })
  expect([first.status, again.headers['idempotency-replayed']]).toEqual([201, 'true'])
  expect(await log()).toHaveLength(before.length + 1)
})

test('no password, key or token is recorded', async () => {
  const key = (await call('POST', 'apikeys/generate', { name: 'A key' })).body.data.apiKey
  const login = (await call('POST', 'auth/login', { email: staff.email, password: PASSWORD })).body.data
  const rows = await server.parts.db.selectFrom('audit_log').selectAll().execute()
  const text = JSON.stringify(rows)
  for (const secret of [key, login.accessToken, login.refreshToken, PASSWORD]) expect(text).not.toContain(secret)
})

test('fifty concurrent requests leave the chain intact', async () => {
  await Promise.all(Array.from({ length: 50 }, (_, at) => call('POST', 'wallet-profiles', { name: `Profile ${at}` })))
  expect(await log('?action=createWalletProfile&limit=100')).toHaveLength(50)
  for await (const { organizationId, broken } of verifyAuditLogs(server.parts.db))
    if (organizationId === staff.organizationId) expect(broken).toBeUndefined()
})

test('the function of docs/audit-log.md computes the hashes from the response', async () => {
  await call('PUT', 'approval-policy', policy('manual'))
  await call('POST', 'wallet-profiles', { name: 'Größe' })
  const entries = (await call('GET', 'audit-log')).body.data.entries
  expect(entries.length).toBeGreaterThan(1)
  const page = readFileSync(new URL('../../../../../../../docs/audit-log.md', import.meta.url), 'utf8')
  const [, code = ''] = /^```js\n([\s\S]*?)^```$/m.exec(page) ?? []
  const hashOf = new Function('createHash', `${code}; return hashOf`)(createHash)
  for (const e of entries) expect(hashOf(staff.organizationId, e)).toBe(e.hash)
})

describe('reading', () => {
  test('requires an owner or admin of the organization', async () => {
    const statuses = await Promise.all(
      (['owner', 'admin', 'approver', 'viewer'] as const).map(
        async (role) => (await call('GET', 'audit-log', undefined, { token: staff.tokens[role] })).status,
      ),
    )
    expect(statuses).toEqual([200, 200, 403, 403])
    await call('PUT', 'approval-policy', policy('automatic'))
    const other = await staffedOrganization(server.parts)
    const theirs = await call('GET', 'audit-log?action=changeApprovalPolicy', undefined, { token: other.tokens.owner })
    expect(theirs.body.data.entries).toEqual([])
  })

  test('returns pages, newest first, and filters', async () => {
    for (const mode of ['manual', 'automatic', 'conditional']) await call('PUT', 'approval-policy', policy(mode))
    const { entries, pagination } = (await call('GET', 'audit-log?object=approval_policy&limit=2&offset=1')).body.data
    expect(entries.map((entry: Entry) => entry.details)).toEqual([{ version: 2 }, { version: 1 }])
    expect(pagination).toEqual({ total: 3, limit: 2, offset: 1, hasMore: false })
    expect(await log(`?actor=user:${staff.ids.owner}&action=changeApprovalPolicy`)).toHaveLength(3)
    expect(await log(`?actor=user:${staff.ids.admin}&action=changeApprovalPolicy`)).toHaveLength(0)
    expect(await log(`?actor=user:${staff.ids.owner}&notAction=changeApprovalPolicy`)).toEqual(
      (await log(`?actor=user:${staff.ids.owner}`)).filter(({ action }) => action !== 'changeApprovalPolicy'),
    )
    expect(await log('?actor=key')).toHaveLength(0)
    expect(await log('?to=2020-01-01T00:00:00Z')).toHaveLength(0)
  })

  test.each([
    ['actor=robot:1', 'actor'],
    ['object=a%20b', 'object'],
    ['from=yesterday', 'from'],
    ['limit=101', 'limit'],
  ])('refuses %s', async (query, path) => {
    const refused = await call('GET', `audit-log?${query}`)
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(refused.body.details.issues[0].path).toBe(path)
  })
})

test('a time that nothing can read is refused', async () => {
  for (const time of ['2016-12-31T23:59:60Z', '2016-12-31T00:00:00%2B05'])
    for (const name of ['from', 'to'])
      expect(await call('GET', `audit-log?${name}=${time}`)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR', details: { issues: [{ path: name }] } },
      })
})

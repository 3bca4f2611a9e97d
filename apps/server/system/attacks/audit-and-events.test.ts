import { existsSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findRunningPostgres } from '../../src/database/index.ts'
import { verifyAudit } from '../../src/main/commands/audit-command.ts'
import { freshAddress } from '../../testing/chains/fresh-address.ts'
import { until } from '../../testing/until.ts'
import type { Data, GeneratedKey } from '../clients/api-types.ts'
import { ANONYMOUS, type HttpClient, withKey } from '../clients/client.ts'
import { expectRefusal } from '../clients/expect-refusal.ts'
import { type RegisteredOrganization, registerOrganization } from '../clients/register-organization.ts'
import { type System, startSystem } from '../service/start-system.ts'

/** Attacks on the audit log and on security events: what was tried, and what came back. */

interface Entry {
  readonly id: number
  readonly action: string
  readonly actor: { readonly type: string; readonly id: number; readonly name: string | null }
  readonly from: string
}
interface Event {
  readonly id: string
  readonly type: string
  readonly reason: string | null
  readonly address: string
  readonly userAgent: string | null
  readonly route: string | null
  readonly actor: { readonly type: string; readonly id: number } | null
  readonly organizationId: number | null
  readonly count: number
  readonly requestId: string | null
}

let system: System
let database: pg.Client
let victim: RegisteredOrganization
let mallory: RegisteredOrganization
const settings: Record<string, string> = {}
const fileOf = (name: string) => join(system.dataDir, name)

beforeAll(async () => {
  system = await startSystem(settings, async (dataDir) => {
    settings.SECURITY_EVENTS_LOG = join(dataDir, 'events.ndjson')
    settings.AUDIT_ANCHOR = `file:${join(dataDir, 'anchors.ndjson')}`
  })
  await connectDatabase()
  victim = await registerOrganization(system)
  mallory = await registerOrganization(system)
})
afterAll(async () => {
  await database?.end()
  await system?.stop()
})

async function connectDatabase(): Promise<void> {
  database = new pg.Client({ connectionString: (await findRunningPostgres(system.dataDir))! })
  await database.connect()
}
const entries = async (owner: HttpClient, query = '') =>
  (await owner.get<Data<{ entries: Entry[] }>>(`/api/core/audit-log?limit=100${query}`)).body.data.entries
const events = async (owner: HttpClient, query = '') =>
  (await owner.get<Data<{ events: Event[] }>>(`/api/core/security-events?limit=100${query}`)).body.data.events
/**
 * Lines of the operator's log. Reading an organization's events stores what is waiting; the lines follow, as many as
 * there are events stored.
 */
async function lines(): Promise<Event[]> {
  await events(victim.owner)
  const { rows } = await database.query<{ stored: number }>('select count(*)::int as stored from security_events')
  return until(() => {
    const written = readFileSync(fileOf('events.ndjson'), 'utf8').split('\n').filter(Boolean)
    return written.length >= rows[0]!.stored && written.map((line) => JSON.parse(line) as Event)
  })
}
/** How many credentials were refused, as the metric counts them: also those that are merged when they are stored. */
async function refusals(): Promise<number> {
  const text = await (await fetch(`${system.process.url}/metrics`)).text()
  return Number(/weir_security_events_total\{type="credential_refused"\} (\d+)/.exec(text)?.[1])
}
const register = (client: HttpClient, headers: Record<string, string> = {}) =>
  client.request<{ walletId: number }>('POST', '/v1/wallets/register', {
    body: { walletAddress: freshAddress(), blockchain: 'polygon' },
    headers,
  })

test('headers that claim another actor or organization: the entry names the key', async () => {
  const key = await mallory.key()
  const { organization, user } = victim.session
  const before = await entries(victim.owner)
  await register(system.as(withKey(key.apiKey)), {
    'x-organization-id': String(organization.id),
    'x-user-id': String(user.id),
    'x-forwarded-user': victim.email,
    'x-actor': `user:${user.id}`,
    authorization: 'Bearer forged',
  })
  expect((await entries(mallory.owner))[0]).toMatchObject({
    action: 'registerWallet',
    actor: { type: 'key', id: key.id },
  })
  expect(await entries(victim.owner)).toEqual(before)
})

test('a forged X-Forwarded-For without a trusted proxy: entry and event have the address of the connection', async () => {
  const headers = {
    'x-forwarded-for': '198.51.100.66, 203.0.113.9',
    forwarded: 'for=198.51.100.66',
    'x-real-ip': '1.1.1.1',
  }
  const key = await mallory.key({ permissions: ['read'] })
  expectRefusal(await register(system.as(withKey(key.apiKey)), headers), 403, 'FORBIDDEN')
  expect((await events(mallory.owner, `&actor=key:${key.id}`)).map(({ address }) => address)).toEqual(['127.0.0.1'])
  await register(await mallory.client(), headers)
  expect((await entries(mallory.owner))[0]?.from).toBe('127.0.0.1')
  expect(readFileSync(fileOf('events.ndjson'), 'utf8')).not.toMatch(/198\.51\.100\.66|203\.0\.113\.9|1\.1\.1\.1/)
})

// One group writes five events a minute one by one: the next five requests are these.
test('guessing keys at the validation endpoint: each wrong guess is an event although the response is 200', async () => {
  const guess = { 'x-api-key': `svc_sandbox_${'a'.repeat(36)}` }
  const count = (await lines()).length
  const { body } = await system.as(guess).post<Data<{ valid: boolean }>>('/api/core/apikeys/validate')
  expect(body.data.valid).toBe(false)
  const added = (await lines()).slice(count)
  expect(added).toMatchObject([{ type: 'credential_refused', reason: 'unknown_key', organizationId: null }])
  expect(JSON.stringify(added)).not.toContain('aaaaaaaa')
})

test.each([
  ['a tab and a line of JSON', '{"type":"owner_recovered"}\t{"a":1}'],
  ['C1 controls and a next-line', '\u0085{"type":"owner_recovered"}\u009b31m'],
  ['ten thousand characters', 'x'.repeat(10_000)],
])('a user agent with %s: one line, one event, shortened and printable', async (_name, userAgent) => {
  const count = (await lines()).length
  await system.as(ANONYMOUS).request('GET', '/v1/wallets', { headers: { 'user-agent': userAgent } })
  const added = (await lines()).slice(count)
  expect(added).toHaveLength(1)
  expect(added[0]?.type).toBe('credential_refused')
  expect(added[0]?.userAgent).toMatch(/^[^\p{C}]{1,200}$/u)
})

test('a path with encoded line breaks and secrets: the event has the template of the route only', async () => {
  const path = '/v1/wallets/1%0a%7B%22type%22%3A%22owner_recovered%22%7D?apiKey=svc_sandbox_stolen'
  const count = (await lines()).length
  await system.as(ANONYMOUS).request('GET', path)
  const added = (await lines()).slice(count)
  expect(added).toMatchObject([{ type: 'credential_refused', route: '/v1/wallets/:walletId' }])
  expect(readFileSync(fileOf('events.ndjson'), 'utf8')).not.toContain('svc_sandbox_stolen')
})

test('a raw request with bare line feeds in a header: 400 before any event, and every line is still JSON', async () => {
  const count = (await lines()).length
  const { hostname, port } = new URL(system.process.url)
  const answer = await new Promise<string>((resolve) => {
    let text = ''
    const socket = connect(Number(port), hostname, () =>
      socket.write('GET /v1/wallets HTTP/1.1\r\nhost: a\r\nuser-agent: a\n\u0001{"type":"x"}\r\n\r\n'),
    )
    socket.on('data', (part) => {
      text += part
    })
    socket.on('close', () => resolve(text))
  })
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(await lines()).toHaveLength(count)
})

test('reading another organization’s events by its ids, actors or cursor: no event', async () => {
  await system.as(ANONYMOUS).post('/api/core/auth/login', { email: victim.email, password: 'a wrong password' })
  const [theirs] = await events(victim.owner)
  expect(theirs).toMatchObject({ type: 'sign_in_refused', reason: 'wrong_password' })
  const { organization, user } = victim.session
  const own = await events(mallory.owner)
  expect(own.map(({ id }) => id)).not.toContain(theirs!.id)
  expect(await events(mallory.owner, `&actor=user:${user.id}`)).toEqual([])
  for (const query of [`&organizationId=${organization.id}`, `&cursor=${theirs!.id.replace(/^./, 'f')}`]) {
    const found = await mallory.owner.get<Data<{ events: Event[] }>>(`/api/core/security-events?limit=100${query}`)
    if (found.status === 200)
      for (const event of found.body.data.events) expect(event.organizationId).toBe(mallory.session.organization.id)
  }
})

test('a key, a viewer and a stranger ask for events and the log: 401 and 403, which are events themselves', async () => {
  const key = await mallory.key()
  const keyed = system.as(withKey(key.apiKey))
  const before = await refusals()
  for (const path of ['/api/core/security-events', '/api/core/audit-log']) {
    expectRefusal(await keyed.get(path), 401, 'UNAUTHORIZED')
    expectRefusal(await system.as(ANONYMOUS).get(path), 401, 'UNAUTHORIZED')
  }
  expect((await refusals()) - before).toBe(4)
})

test.each(['DELETE', 'PUT', 'PATCH', 'POST'])(
  '%s on the audit log and on events: 405, and nothing changed',
  async (method) => {
    const before = await entries(victim.owner)
    for (const path of ['/api/core/audit-log', '/api/core/security-events'])
      expectRefusal(await victim.owner.request(method, path, { body: {} }), 405, 'METHOD_NOT_ALLOWED')
    expect(await entries(victim.owner)).toEqual(before)
  },
)

test('a write disguised as a read by method-override headers: read, without effect and without entry', async () => {
  const client = await mallory.client()
  const { walletId } = (await register(client)).body
  const before = await entries(mallory.owner)
  const headers = { 'x-http-method-override': 'PATCH', 'x-method-override': 'PATCH' }
  const read = await client.request<{ userId: string | null }>('GET', `/v1/wallets/${walletId}?_method=PATCH`, {
    headers,
  })
  expect(read.body).not.toMatchObject({ userId: 'changed' })
  expect(await entries(mallory.owner)).toEqual(before)
})

test('writes on v1, repeated and refused: one entry for each effect, none without', async () => {
  const key = await mallory.key()
  const client = system.as(withKey(key.apiKey))
  const body = { walletAddress: freshAddress(), blockchain: 'polygon' }
  const once = { body, idempotencyKey: `once-${key.id}` }
  const { body: wallet } = await client.request<{ walletId: number }>('POST', '/v1/wallets/register', once)
  for (let again = 0; again < 3; again += 1) await client.request('POST', '/v1/wallets/register', once)
  await client.patch(`/v1/wallets/${wallet.walletId}`, { userId: 'u-1' })
  await client.patch('/v1/wallets/999999999', { userId: 'u-1' })
  await client.post('/v1/ramp/recipients', { name: '' })
  expect((await entries(mallory.owner, `&actor=key:${key.id}`)).map(({ action }) => action)).toEqual([
    'changeWallet',
    'registerWallet',
  ])
})

test('an agent takes work and reports it: an entry for both; polls for nothing have none', async () => {
  const key = await mallory.key({ permissions: ['agent'] })
  const agent = system.as(withKey(key.apiKey))
  await agent.post('/api/agent/actions/poll', {})
  await agent.post('/api/agent/transactions/poll', {})
  const request = { blockchain: 'polygon', label: 'New' }
  const { body } = await mallory.owner.post<Data<{ id: number }>>('/api/core/custody/actions/create-wallet', request)
  const polled = await agent.post<Data<{ action: { leaseToken: string } }>>('/api/agent/actions/poll', {})
  const { leaseToken } = polled.body.data.action
  await agent.post(`/api/agent/actions/${body.data.id}/report`, { status: 'FAILED', error: 'no', leaseToken })
  expect((await entries(mallory.owner, `&actor=key:${key.id}`)).map(({ action }) => action)).toEqual([
    'reportAction',
    'pollActions',
  ])
})

test('rotating and revoking a key to shake off its acts: they stay with the key that acted', async () => {
  const old = await mallory.key()
  await register(system.as(withKey(old.apiKey)))
  const rotated = await mallory.owner.post<Data<GeneratedKey>>(`/api/core/apikeys/${old.id}/rotate`, {
    overlapSeconds: 0,
  })
  const next = rotated.body.data
  await register(system.as(withKey(next.apiKey)))
  await mallory.owner.delete(`/api/core/apikeys/${next.id}`)
  expectRefusal(await register(system.as(withKey(next.apiKey))), 403, 'API_KEY_DISABLED')
  for (const key of [old, next])
    expect((await entries(mallory.owner, `&actor=key:${key.id}`)).map(({ action }) => action)).toEqual([
      'registerWallet',
    ])
  expect(await events(mallory.owner, `&actor=key:${next.id}`)).toMatchObject([
    { type: 'credential_refused', reason: 'revoked_key' },
  ])
})

test('registering somebody else’s address: an event without the address', async () => {
  const count = (await lines()).length
  const body = { email: victim.email, password: 'a long enough password', organizationName: 'X' }
  expectRefusal(await system.as(ANONYMOUS).post('/api/core/auth/register', body), 409, 'CONFLICT')
  const added = (await lines()).slice(count)
  expect(added).toMatchObject([{ type: 'registration_refused' }])
  expect(JSON.stringify(added)).not.toContain(victim.email)
})

test.each([
  "update audit_log set action = 'nothing'",
  'delete from audit_log',
  'truncate audit_log cascade',
  'update audit_heads set entries = entries + 5',
  'delete from audit_anchors',
  "update unchained_audit_entries set action = 'nothing'",
])('SQL as the service’s own user, %s: refused by the database or without effect', async (statement) => {
  const before = await entries(victim.owner)
  await database.query(statement).catch(() => undefined)
  expect(await entries(victim.owner)).toEqual(before)
})

test('three thousand refused requests: a bounded number of rows and lines that count them all', async () => {
  const { rows: before } = await database.query(
    'select count(*)::int as rows, sum(count)::int as refused from security_events',
  )
  const stranger = system.as({ 'x-api-key': 'svc_sandbox_flood' })
  for (let batch = 0; batch < 60; batch += 1)
    await Promise.all(Array.from({ length: 50 }, () => stranger.get('/v1/wallets')))
  await database.end()
  await system.restart()
  await connectDatabase()
  const { rows: after } = await database.query(
    'select count(*)::int as rows, sum(count)::int as refused from security_events',
  )
  expect(after[0].rows - before[0].rows).toBeLessThan(60)
  expect(after[0].refused - before[0].refused).toBeGreaterThanOrEqual(3_000)
}, 120_000)

test('cutting back and re-chaining a log with all rights on the database: anchors outside find it', async () => {
  const { id: organizationId } = victim.session.organization
  const anchors = fileOf('anchors.ndjson')
  // The start anchored the registration of the demo organization, and the next anchor is due in an hour.
  await until(async () => existsSync(anchors))
  await database.query('begin; set local session_replication_role = replica')
  await database.query('delete from audit_anchor_heads')
  await database.query('delete from audit_anchors')
  await database.query('commit')
  await rm(anchors)
  await until(async () => existsSync(anchors) && readFileSync(anchors, 'utf8').includes(`[${organizationId},`))
  const env = { DATA_DIR: system.dataDir }
  const verify = async (...args: string[]) => {
    const said: string[] = []
    const isWhole = await verifyAudit(env, args, (line) => said.push(line))
    return { isWhole, said: said.join('\n') }
  }
  const whole = await verify('--anchors', anchors)
  expect(whole.isWhole).toBe(true)
  expect(whole.said).toMatch(new RegExp(`^organization ${organizationId}: .*(all anchored|\\d+ not anchored)$`, 'm'))
  await database.query('begin; set local session_replication_role = replica')
  await database.query('delete from audit_log where organization_id = $1 and id > 0', [organizationId])
  await database.query(
    "update audit_heads set entries = 0, hash = decode(repeat('00', 32), 'hex') where organization_id = $1",
    [organizationId],
  )
  await database.query('commit')
  expect((await verify()).said).toContain(`organization ${organizationId}: broken, it has no entry`)
  const found = await verify('--anchors', anchors)
  expect(found.isWhole).toBe(false)
  expect(found.said).toContain(`organization ${organizationId}: broken, the log ends at entry 0`)
  const forged = fileOf('forged.ndjson')
  await writeFile(forged, readFileSync(anchors, 'utf8').replaceAll(`[${organizationId},`, '[999999,'))
  await expect(verify('--anchors', forged)).rejects.toThrow('the anchor was changed')
})

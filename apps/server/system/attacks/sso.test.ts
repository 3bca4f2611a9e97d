import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DnsServer, startDnsServer } from '../../testing/stand-ins/dns-server.ts'
import { type ForgingProvider, startForgingProvider } from '../../testing/stand-ins/forging-provider.ts'
import {
  createBrowser,
  type OidcProvider,
  signInAtProvider,
  startOidcProvider,
} from '../../testing/stand-ins/oidc-provider.ts'
import { until } from '../../testing/until.ts'
import type { Data } from '../clients/api-types.ts'
import { ANONYMOUS, type HttpClient, type HttpResponse, type Refusal, withToken } from '../clients/client.ts'
import { expectRefusal } from '../clients/expect-refusal.ts'
import { emailAt, forgedTokens, hostileDocuments, LIES, PRIVATE_ISSUERS } from '../clients/sso-forgeries.ts'
import {
  beginSignIn,
  CLIENT,
  callBack,
  createSsoOrganization,
  exchange,
  memberElsewhere,
  requireApprovalOfMembers,
  type SsoOrganization,
  signIn,
} from '../clients/sso-organization.ts'
import { type System, startSystem } from '../service/start-system.ts'

let system: System
let dns: DnsServer
let real: OidcProvider
let hostile: ForgingProvider
let ours: SsoOrganization
let theirs: SsoOrganization
let nobody: HttpClient

const GROUPS = { roleClaim: 'groups', roleMappings: [{ value: 'treasury', role: 'approver' }] }
const callback = ({ providerId }: SsoOrganization) => `${system.process.url}/api/core/auth/sso/callback/${providerId}`

beforeAll(async () => {
  dns = await startDnsServer()
  system = await startSystem({ DNS_SERVERS: dns.address })
  nobody = system.as(ANONYMOUS)
  real = await startOidcProvider(`${system.process.url}/api/core/auth/sso/callback`)
  hostile = await startForgingProvider()
  const sso = (domain: string, { issuer }: { readonly issuer: string }) =>
    createSsoOrganization({ system, dns, domain, provider: { issuer, ...GROUPS } })
  ours = await sso('ours.example', real)
  theirs = await sso('theirs.example', hostile)
  for (const name of ['ada', 'bob', 'eve'])
    real.people.set(name, { email: `${name}@ours.example`, email_verified: true, groups: ['treasury'] })
})
afterAll(async () => {
  await real?.close()
  await hostile?.close()
  await system?.stop()
  await dns?.close()
})

/** Runs an attack, after which both organizations have the members that they had, with the same roles. */
async function attack<T>(attempt: () => Promise<T>): Promise<T> {
  const before = [await ours.members(), await theirs.members()]
  const outcome = await attempt()
  expect([await ours.members(), await theirs.members()]).toEqual(before)
  return outcome
}

/** A sign-in at the hostile provider, which sends the browser back with these parameters. */
async function returnFromHostile(more: Record<string, string> = {}, of: SsoOrganization = theirs) {
  const browser = createBrowser()
  const start = await beginSignIn(system, browser, `organization=${of.id}&provider=${of.providerId}`)
  hostile.nonce = start.searchParams.get('nonce')!
  const query = new URLSearchParams({ state: start.searchParams.get('state')!, code: 'any', ...more })
  return { browser, url: `${callback(of)}?${query}` }
}

const FAILED = { status: 401, reason: 'sign_in_failed', code: undefined }
const UNKNOWN_STATE = { status: 401, reason: 'unknown_state', code: undefined }
const forbidden = (reason: string) => ({ status: 403, reason, code: undefined })

test('a person signs in at a real provider, and the code opens a session of the mapped role', async () => {
  const { code } = await signIn(system, ours, 'ada')
  const { status, body } = await exchange(system, code!)
  expect(status).toBe(200)
  expect(body.data).toMatchObject({
    user: { email: 'ada@ours.example', role: 'approver' },
    organization: { id: ours.id },
  })
  expect((await system.as(withToken(body.data.accessToken)).get('/api/core/auth/me')).status).toBe(200)
  expect((await nobody.post('/api/core/auth/refresh', { refreshToken: body.data.refreshToken })).status).toBe(200)
})

test('a browser gets a page with the code, and no token or code in a URL', async () => {
  const browser = createBrowser()
  const start = await beginSignIn(system, browser, 'email=ada@ours.example')
  const page = await browser.request(await signInAtProvider(browser, start.href, 'ada'), { accept: 'text/html' })
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(page.headers.get('location')).toBeNull()
  const [, code] = /<code id="code">(\w{43})<\/code>/.exec(await page.text()) ?? []
  expect((await exchange(system, code!)).status).toBe(200)
})

describe('a forged ID token opens nothing', () => {
  const forgeries = forgedTokens(() => hostile)
  test.each(Object.keys(forgeries))('%s', async (name) => {
    hostile.idToken = forgeries[name]!
    const { browser, url } = await returnFromHostile()
    expect(await attack(() => callBack(browser, url))).toEqual(FAILED)
  })
})

describe('a provider that lies about a person gains nothing', () => {
  test.each(Object.keys(LIES))('%s', async (name) => {
    const [claims, reason] = LIES[name]!
    hostile.idToken = (nonce) => hostile.sign(hostile.claims(nonce, claims))
    const { browser, url } = await returnFromHostile()
    expect(await attack(() => callBack(browser, url))).toEqual(forbidden(reason))
  })

  test('a claim of the role owner makes nobody an owner', async () => {
    const claims = {
      sub: 'climber',
      email: 'climber@theirs.example',
      email_verified: true,
      role: 'owner',
      roles: ['owner'],
    }
    hostile.idToken = (nonce) => hostile.sign(hostile.claims(nonce, { ...claims, groups: ['owner', 'admin'] }))
    const { browser, url } = await returnFromHostile()
    const { code } = await callBack(browser, url)
    expect((await exchange(system, code!)).body.data.user.role).toBe('viewer')
    const mapping = { roleMappings: [{ value: 'owner', role: 'owner' }] }
    const refusal = await theirs.owner.patch(`/api/core/sso/providers/${theirs.providerId}`, mapping)
    expectRefusal(refusal, 400, 'VALIDATION_ERROR')
  })

  async function signInAs(email: string) {
    hostile.idToken = (nonce) => hostile.sign(hostile.claims(nonce, { sub: email, email, email_verified: true }))
    const { browser, url } = await returnFromHostile()
    return callBack(browser, url)
  }

  test('an address in its domain that a member of another tenant proved stays theirs', async () => {
    const { id, email, prove, logIn } = await memberElsewhere(system, 'early@theirs.example')
    await prove()
    expect(await attack(() => signInAs(email))).toEqual(forbidden('email_in_use'))
    expect((await logIn(email)).body.data.user.id).toBe(id)
  })

  test('from a member of another tenant who did not prove the address it gets that, and not the account', async () => {
    const { id, email, logIn } = await memberElsewhere(system, 'unproved@theirs.example')
    const { user, organization } = (await exchange(system, (await signInAs(email)).code!)).body.data
    expect([user.email, organization.id, user.id === id]).toEqual([email, theirs.id, false])
    expect((await logIn(email)).status).toBe(401)
    expect((await logIn(`released-${id}@weir.invalid`)).body.data.user.id).toBe(id)
  })
})

describe('a stolen or planted part of a sign-in is useless', () => {
  async function returning(login = 'bob') {
    const browser = createBrowser()
    const start = await beginSignIn(system, browser, `email=${login}@ours.example`)
    return { browser, start, url: await signInAtProvider(browser, start.href, login) }
  }

  test('the callback of another browser, and one without its cookie; the right browser still finishes', async () => {
    const { browser, url } = await returning('ada')
    const other = createBrowser()
    expect(await attack(() => callBack(other, url))).toEqual(UNKNOWN_STATE)
    await beginSignIn(system, other, 'email=ada@ours.example')
    expect(await attack(() => callBack(other, url))).toEqual(UNKNOWN_STATE)
    expect((await callBack(browser, url)).status).toBe(200)
  })

  test('a callback that is replayed, with and without a new cookie', async () => {
    const { browser, url } = await returning('ada')
    const cookies = new Map(browser.cookies.get(new URL(url).host))
    expect((await callBack(browser, url)).status).toBe(200)
    expect(await attack(() => callBack(browser, url))).toEqual(UNKNOWN_STATE)
    browser.cookies.set(new URL(url).host, cookies)
    expect(await attack(() => callBack(browser, url))).toEqual(UNKNOWN_STATE)
  })

  test('the authorization code of one sign-in in another (PKCE)', async () => {
    const victim = await returning('bob')
    const attacker = await returning('eve')
    const mixed = new URL(attacker.url)
    mixed.searchParams.set('code', new URL(victim.url).searchParams.get('code')!)
    expect(await attack(() => callBack(attacker.browser, mixed.href))).toEqual(FAILED)
  })

  test.each([
    ['the issuer of another provider', 'http://127.0.0.1:9'],
    ['no issuer', undefined],
  ])('a response with %s (mix-up)', async (_name, iss) => {
    const { browser, url } = await returning('bob')
    const mixed = new URL(url)
    if (iss === undefined) mixed.searchParams.delete('iss')
    else mixed.searchParams.set('iss', iss)
    expect(await attack(() => callBack(browser, mixed.href))).toEqual(FAILED)
  })

  test('a one-time code used twice, which ends the session that it opened', async () => {
    const { code } = await signIn(system, ours, 'ada')
    const { body } = await exchange(system, code!)
    expectRefusal(await exchange(system, code!), 401, 'UNAUTHORIZED')
    expectRefusal(await system.as(withToken(body.data.accessToken)).get('/api/core/auth/me'), 401, 'UNAUTHORIZED')
    const { refreshToken } = body.data
    expectRefusal(await nobody.post('/api/core/auth/refresh', { refreshToken }), 401, 'UNAUTHORIZED')
  })

  test('a redirect URI of the attacker: the provider sends the browser nowhere', async () => {
    const browser = createBrowser()
    const start = await beginSignIn(system, browser, 'email=ada@ours.example')
    start.searchParams.set('redirect_uri', 'https://evil.example/callback')
    const response = await browser.request(start.href)
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
  })

  test('a Host header of the attacker does not change where the provider sends the browser', async () => {
    const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
    const path = '/api/core/auth/sso/start?email=ada@ours.example'
    const { data } = (await nobody.request<Data<{ url: string }>>('GET', path, { headers })).body
    expect(new URL(data.url).searchParams.get('redirect_uri')).toBe(callback(ours))
  })
})

describe('an issuer is no way into the network', () => {
  test.each(PRIVATE_ISSUERS)('%s', async (issuer) => {
    const answer = await attack(() => theirs.owner.post('/api/core/sso/providers', { ...CLIENT, issuer }))
    // A name is looked up when somebody signs in, and refused then.
    if (answer.status !== 201) return void expectRefusal(answer, 400, 'VALIDATION_ERROR')
    const { id } = (answer.body as Data<{ id: number }>).data
    const start = await nobody.get(`/api/core/auth/sso/start?organization=${theirs.id}&provider=${id}`)
    expect(expectRefusal(start, 409, 'CONFLICT').reason).toBe('provider_unavailable')
  })

  const start = () => nobody.get(`/api/core/auth/sso/start?organization=${theirs.id}&provider=${theirs.providerId}`)
  const documents = hostileDocuments({ hostile: () => hostile.issuer, other: () => real.issuer })
  test.each(Object.keys(documents))('a discovery document that %s', async (name) => {
    hostile.intercept = (path) => (path.startsWith('/.well-known/') ? documents[name]!() : undefined)
    const answer = await attack(start)
    hostile.intercept = undefined
    expect(expectRefusal(answer, 409, 'CONFLICT').reason).toBe('provider_unavailable')
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  test.each(['token_endpoint', 'jwks_uri'])('a %s at a private address', async (field) => {
    hostile.idToken = (nonce) => hostile.sign(hostile.claims(nonce, emailAt('theirs.example')))
    hostile.discovery = { [field]: 'http://169.254.169.254/latest/meta-data' }
    const { browser, url } = await returnFromHostile()
    const outcome = await attack(() => callBack(browser, url))
    hostile.discovery = {}
    expect(outcome).toEqual(FAILED)
  })
})

test('a claimed domain captures nobody: another tenant’s, by claim, by their record, by a record of its own, in a provider', async () => {
  type Claimed = Data<{ id: number; recordName: string; recordValue: string }>
  const { body } = await theirs.owner.post<Claimed>('/api/core/sso/domains', { domain: 'ours.example' })
  const { id, recordName, recordValue } = body.data
  const verify = () => attack(() => theirs.owner.post(`/api/core/sso/domains/${id}/verify`))
  expect(expectRefusal(await verify(), 409, 'CONFLICT').reason).toBe('record_not_found')
  dns.records.set(recordName, recordValue)
  expect(expectRefusal(await verify(), 409, 'CONFLICT').reason).toBe('domain_taken')
  const domains = { domains: ['theirs.example', 'ours.example'] }
  const patched = await theirs.owner.patch(`/api/core/sso/providers/${theirs.providerId}`, domains)
  expectRefusal(patched, 400, 'VALIDATION_ERROR')
  expect((await beginSignIn(system, createBrowser(), 'email=ada@ours.example')).origin).toBe(real.issuer)
  const foreign = `organization=${ours.id}&provider=${theirs.providerId}`
  expectRefusal(await nobody.get(`/api/core/auth/sso/start?${foreign}`), 404, 'NOT_FOUND')
})

describe('where single sign-on is required, passwords are refused', () => {
  const without = ({ status, body }: HttpResponse<Refusal>) => ({ status, ...body, requestId: '' })

  test('the same for a right password, a wrong one and an unknown address; the break-glass owner gets in', async () => {
    const { password, owner } = ours
    const people = ['bea', 'max', 'gil'].map((name) => ({ email: `${name}@ours.example`, password }))
    const [bea, max, gil] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]]
    const ids: number[] = []
    for (const [person, role] of [
      [bea, 'approver'],
      [max, 'admin'],
      [gil, 'owner'],
    ] as const)
      ids.push((await owner.post<Data<{ id: number }>>('/api/core/members', { ...person, role })).body.data.id)
    const login = (body: object) => nobody.post<Refusal & Data<{ accessToken: string }>>('/api/core/auth/login', body)
    const session = system.as(withToken((await login(bea)).body.data.accessToken))
    const admin = system.as(withToken((await login(max)).body.data.accessToken))
    const provider = `/api/core/sso/providers/${ours.providerId}`
    expectRefusal(await attack(() => admin.patch(provider, { enforced: false })), 403, 'FORBIDDEN')
    expect((await owner.patch(provider, { enforced: true, breakGlassMemberId: ids[2] })).status).toBe(200)

    await attack(async () => {
      const right = await login(bea)
      expect(expectRefusal(right, 403, 'FORBIDDEN').reason).toBe('sso_required')
      const others = [
        { ...bea, password: 'wrong' },
        { ...gil, password: 'wrong' },
        { ...bea, email: 'x@ours.example' },
      ]
      for (const body of others) expect(without(await login(body))).toEqual(without(right))
      const refusals = [
        admin.patch(`/api/core/members/${ids[0]}`, { password: 'another long password' }),
        admin.post('/api/core/members', { email: 'new@ours.example', password, role: 'approver' }),
        session.post('/api/core/auth/password', { currentPassword: password, newPassword: 'another long password' }),
        nobody.post('/api/core/auth/register', { email: 'n@ours.example', password, organizationName: 'Squatters' }),
      ]
      for (const refusal of refusals) expect(expectRefusal(await refusal, 403, 'FORBIDDEN').reason).toBe('sso_required')
    })
    expect((await login(gil)).status).toBe(200)
    expect((await owner.patch(`/api/core/members/${ids[2]}`, { role: 'admin' })).status).toBe(200)
    expect(expectRefusal(await login(gil), 403, 'FORBIDDEN').reason).toBe('sso_required')
    expect((await signIn(system, ours, 'bob')).status).toBe(200)
  })

  test('a removed member does not come back by signing in, and their session does not refresh', async () => {
    const { code } = await signIn(system, ours, 'eve')
    const { user, refreshToken } = (await exchange(system, code!)).body.data
    expect((await ours.owner.delete(`/api/core/members/${user.id}`)).status).toBe(200)
    expectRefusal(await nobody.post('/api/core/auth/refresh', { refreshToken }), 401, 'UNAUTHORIZED')
    expect(await attack(() => signIn(system, ours, 'eve'))).toEqual(forbidden('member_removed'))
    const admitted = await ours.owner.post('/api/core/sso/members', { email: 'eve@ours.example', role: 'viewer' })
    expect(admitted.status).toBe(201)
    expect((await signIn(system, ours, 'eve')).status).toBe(200)
  })
})

test('alone under a rule for members: a claimed role, unlinking, deleting the provider, releasing the domain; none happens', async () => {
  const setup = { system, dns, domain: 'ruled.example', provider: { issuer: hostile.issuer, ...GROUPS } }
  const ruled = await createSsoOrganization(setup)
  const { owner, providerId } = ruled
  await requireApprovalOfMembers(ruled)
  const person = { sub: 'climber', ...emailAt(ruled.domain), groups: ['treasury'] }
  hostile.idToken = (nonce) => hostile.sign(hostile.claims(nonce, person))
  const { browser, url } = await returnFromHostile({}, ruled)
  const { code } = await callBack(browser, url)
  const { id, role } = (await exchange(system, code!)).body.data.user
  expect(role).toBe('viewer')
  const events = () => owner.get<Data<{ events: object[] }>>('/api/core/security-events?type=role_refused')
  const event = await until(async () => (await events()).body.data.events[0])
  expect(event).toMatchObject({ reason: 'role_needs_approval', actor: { type: 'user', id }, status: 200 })
  const { data: domains } = (await owner.get<Data<{ id: number }[]>>('/api/core/sso/domains')).body
  for (const object of [`providers/${providerId}`, `domains/${domains[0]!.id}`])
    expect((await owner.delete(`/api/core/sso/${object}`)).status).toBe(202)
  expect((await owner.delete(`/api/core/members/${id}/sso-accounts`)).status).toBe(202)
  const { body } = await owner.get('/api/core/sso/providers')
  expect(body).toMatchObject({ data: [{ id: providerId, domains: ['ruled.example'] }] })
})

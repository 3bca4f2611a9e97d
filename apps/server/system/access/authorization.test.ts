import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logIn } from '../../testing/identity/log-in.ts'
import {
  type BrowserSession,
  forgedRequests,
  isRefusedAsForged,
  madeUpSession,
  ofPage,
  signInBrowsers,
} from '../clients/browser-callers.ts'
import type { Refusal } from '../clients/client.ts'
import { filtersOf } from '../fuzzing/filters-of.ts'
import { requestOf } from '../fuzzing/request-of.ts'
import type { RawResponse } from '../money/contract.ts'
import { type InProcessService, startInProcessService } from '../service/in-process-service.ts'
import {
  ABSENT_IDS,
  createOrganizationFixture,
  KEY_PERMISSIONS,
  type OrganizationFixture,
  type ResourceIds,
  ROLES,
} from './organization-fixture.ts'
import type { Common, PathIds } from './path-ids.ts'
import { permissionOf, ROUTES } from './route-access.ts'
import { type Caller, SECURITY, verdictOf } from './route-verdicts.ts'
import { SERVICE_ACCOUNT_ROUTES } from './service-account-routes.ts'

let examined: InProcessService
let ours: OrganizationFixture
let theirs: OrganizationFixture
let browsers: Record<(typeof ROLES)[number], BrowserSession>
let theirBrowsers: typeof browsers

beforeAll(async () => {
  examined = await startInProcessService()
  ours = await createOrganizationFixture(examined, 'examined customer')
  theirs = await createOrganizationFixture(examined, 'customer of theirs')
  browsers = await signInBrowsers(examined, ours)
  theirBrowsers = await signInBrowsers(examined, theirs)
  await examined.changes.drain()
})
afterAll(() => examined?.stop())

let sorted: readonly string[] | undefined
/** The routes of the document, `GET /v1/wallets`, in the order of the table. */
const routes = (): readonly string[] => (sorted ??= sortedRoutes())
function sortedRoutes(): string[] {
  const documented = Object.entries(examined.contract.document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const order = Object.keys(ROUTES)
  return documented.sort((a, b) => order.indexOf(a) - order.indexOf(b))
}

const key = (text: string) => ({ 'x-api-key': text })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Every kind of caller, by a name for the message of a failing test. */
async function callers(): Promise<Record<string, Caller>> {
  const { keys, tokens, secrets, expiredToken } = ours
  const swapped = (text: string) => text.slice(0, -1) + (text.endsWith('A') ? 'B' : 'A')
  const live = (text: string) => text.replace('svc_sandbox_', 'svc_live_')
  const claims = new SignJWT({ org: 1, sid: 1 }).setSubject('1').setIssuer('weir').setExpirationTime('1h')
  const forged = await claims
    .setAudience('weir:sandbox:core')
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode('a secret that is not the one of this service'))
  const [, payload] = tokens.owner.split('.')
  const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${payload}.`
  return {
    'nobody at all': { is: 'nobody', headers: {} },
    'an empty key': { is: 'nobody', headers: key(' ') },
    garbage: { is: 'unknown key', headers: key('garbage') },
    'a key with one letter changed': { is: 'unknown key', headers: key(swapped(keys.organization)) },
    'a key of the other environment': { is: 'unknown key', headers: key(live(keys.organization)) },
    'a revoked key': { is: 'revoked key', headers: key(keys.revoked) },
    'a profile key': { is: 'key', scope: 'profile', headers: key(keys.profile) },
    'an admin key': { is: 'key', scope: 'admin', headers: key(keys.admin) },
    'an organization key': { is: 'key', scope: 'organization', headers: key(keys.organization) },
    'a key of another organization': { is: 'key', scope: 'organization', headers: key(theirs.keys.organization) },
    'an access token as key': { is: 'unknown key', headers: key(tokens.owner) },
    'a key as access token': { is: 'unknown session', headers: bearer(keys.organization) },
    'a service account': { is: 'service account', role: 'admin', headers: bearer(secrets.admin) },
    'a service account that reads': { is: 'service account', role: 'viewer', headers: bearer(secrets.viewer) },
    'a deleted service account': { is: 'unknown session', headers: bearer(secrets.deleted) },
    'a secret of the other environment': {
      is: 'unknown session',
      headers: bearer(secrets.admin.replace('sa_sandbox_', 'sa_live_')),
    },
    'a secret with one letter changed': { is: 'unknown session', headers: bearer(swapped(secrets.admin)) },
    'a secret as key': { is: 'unknown key', headers: key(secrets.admin) },
    'a garbled session': { is: 'unknown session', headers: bearer('garbage') },
    'an expired session': { is: 'unknown session', headers: bearer(expiredToken) },
    'a session signed by somebody else': { is: 'unknown session', headers: bearer(forged) },
    'a session that nobody signed': { is: 'unknown session', headers: bearer(unsigned) },
    'basic credentials': { is: 'nobody', headers: { authorization: 'Basic b3duZXI6b3duZXI=' } },
    ...Object.fromEntries(
      ROLES.map((role) => [`the ${role}`, { is: 'session' as const, role, headers: bearer(tokens[role]) }]),
    ),
    'the owner of another organization': { is: 'session', role: 'owner', headers: bearer(theirs.tokens.owner) },
    ...Object.fromEntries(
      ROLES.map((role) => [
        `a browser of the ${role}`,
        { is: 'browser' as const, role, headers: ofPage(browsers[role]) },
      ]),
    ),
    'a browser of another organization': { is: 'browser', role: 'owner', headers: ofPage(theirBrowsers.owner) },
    'a browser with a cookie that nobody got': {
      is: 'unknown browser',
      headers: ofPage(madeUpSession(browsers.owner)),
    },
    'a browser that also sends garbage as key': {
      is: 'unknown key',
      headers: { ...ofPage(browsers.owner), ...key('garbage') },
    },
  }
}

const ENDS_SESSIONS = ['POST /api/core/auth/logout', 'DELETE /api/core/auth/sessions']

/** Sends a request. The response must keep the contract; a refusal must change nothing. */
async function ask(route: string, naming: PathIds, headers: Readonly<Record<string, string>>): Promise<RawResponse> {
  const answer = await examined.send(requestOf(route, naming, headers))
  expect(examined.contract.breaches(answer), `${route} → ${answer.status} ${answer.text}`).toEqual([])
  const changed = await examined.changes.drain()
  if (answer.status >= 400) expect(changed, `${route} refused with ${answer.text}`).toEqual([])
  return answer
}

const ourCommon = (): Common => ours
const probeOf = (route: string): PathIds => {
  const { request: asks, probe } = ROUTES[route]!
  return probe ?? asks?.[0]?.(ABSENT_IDS, ourCommon()) ?? (route.startsWith('POST') ? { body: {} } : {})
}

/** A response without the parts that differ between any two requests. */
function comparable({ status, headers, text }: RawResponse): { status: number; headers: string; text: string } {
  const requestId = headers.get('x-request-id')!
  const moving = /^(x-request-id|date|ratelimit-\w+)$/
  const fields = [...headers].filter(([name]) => !moving.test(name)).map(([name, value]) => `${name}: ${value}`)
  return { status, headers: fields.join('\n'), text: text.replaceAll(requestId, '<request id>') }
}

test('the table and the document have the same routes with the same security', () => {
  const { paths } = examined.contract.document
  expect(routes().filter((route) => !(route in ROUTES))).toEqual([])
  expect(Object.keys(ROUTES).filter((route) => !routes().includes(route))).toEqual([])
  for (const route of routes()) {
    const [method = '', path = ''] = route.split(' ')
    const { security } = paths[path]![method.toLowerCase()] as { security?: unknown }
    expect(security, route).toEqual(SECURITY[ROUTES[route]!.access])
  }
})

test('the document names the permission that a key needs for each route that takes keys', () => {
  const { paths } = examined.contract.document
  const documented = routes().map((route) => {
    const [method = '', path = ''] = route.split(' ')
    return [route, (paths[path]![method.toLowerCase()] as { 'x-permission'?: string })['x-permission']]
  })
  expect(documented).toEqual(routes().map((route) => [route, permissionOf(route)]))
})

test('the document names the routes that service accounts may call, and these are the ones of the list', () => {
  const { paths } = examined.contract.document
  const named = routes().filter((route) => {
    const [method = '', path = ''] = route.split(' ')
    return 'x-service-accounts' in (paths[path]![method.toLowerCase()] as object)
  })
  expect(new Set(named)).toEqual(SERVICE_ACCOUNT_ROUTES)
})

test('a service account learns that a person is needed wherever its role would suffice', async () => {
  for (const route of routes()) {
    const { access } = ROUTES[route]!
    if (!['everyone', 'readers', 'approvers', 'admins', 'owners'].includes(access)) continue
    if (SERVICE_ACCOUNT_ROUTES.has(route)) continue
    const answer = await ask(route, probeOf(route), bearer(ours.secrets.admin))
    expect(answer.text, route).toContain('"reason":"person_required"')
  }
})

test('a key with one permission reaches the routes that need it, and no other', async () => {
  for (const held of KEY_PERMISSIONS) {
    for (const route of routes()) {
      const needed = permissionOf(route)
      if (needed === undefined) continue
      const answer = await ask(route, probeOf(route), key(ours.limitedKeys[held]))
      const message = `${route} with ${held}: ${answer.text}`
      if (needed === held) expect([401, 403], message).not.toContain(answer.status)
      else {
        expect([answer.status, (JSON.parse(answer.text) as Refusal).code], message).toEqual([403, 'FORBIDDEN'])
        expect(answer.text).toContain(`This key does not have the permission ${needed}.`)
      }
    }
  }
})

test('the table covers every documented place where a request can name a tenant’s object', () => {
  const owned =
    /"name":"(walletId|walletAddress|userId|operationId|transactionId|walletProfileId|opWalletId|managedWalletId)"/
  const inBody = /"(walletId|operationId|transactionId|walletProfileId|orgWalletId|opWalletId)":\{/
  // A registration includes its address; its profile is looked up later. See the test on profiles below.
  const exempt = ['POST /v1/wallets/register', 'POST /v1/sandbox/faucet']
  const silent = routes().filter((route) => {
    const [method = '', path = ''] = route.split(' ')
    const { parameters = [], requestBody = {} } = examined.contract.document.paths[path]![method.toLowerCase()] as {
      parameters?: unknown
      requestBody?: unknown
    }
    const names = owned.test(JSON.stringify(parameters)) || inBody.test(JSON.stringify(requestBody))
    return names && !ROUTES[route]!.request && !exempt.includes(route)
  })
  expect(silent).toEqual([])
})

describe('every route', () => {
  test('admits permitted callers, and refuses all others without a change', { timeout: 600_000 }, async () => {
    for (const [name, caller] of Object.entries(await callers())) {
      for (const route of routes()) {
        const verdict = verdictOf(route, caller)
        // Behind their credential, browsers and other clients take the same way; v1 took keys only before.
        if (caller.is === 'browser' && caller.role !== 'owner' && !route.includes(' /v1/')) continue
        // Ending sessions takes effect for every permitted caller; it is tested at the end.
        if (ENDS_SESSIONS.includes(route) && verdict === 'allowed') continue
        const answer = await ask(route, probeOf(route), caller.headers)
        const { code } =
          answer.status >= 400 && answer.text.startsWith('{') ? (JSON.parse(answer.text) as Refusal) : { code: '' }
        const message = `${route} for ${name}: ${answer.text}`
        if (verdict !== 'allowed') expect([answer.status, code], message).toEqual(verdict)
        else if (ROUTES[route]!.access !== 'open') expect([401, 403], message).not.toContain(answer.status)
      }
    }
  })

  test('refuses a browser’s cookie that no page of this service sent, and changes nothing', async () => {
    for (const [name, headers] of Object.entries(forgedRequests(browsers))) {
      for (const route of routes()) {
        const { access } = ROUTES[route]!
        // They read no cookie.
        if (['open', 'validate', 'agents'].includes(access)) continue
        if (!isRefusedAsForged(name, route.split(' ')[0]!)) continue
        const answer = await ask(route, probeOf(route), headers)
        const message = `${route} for ${name}: ${answer.text}`
        expect([answer.status, (JSON.parse(answer.text) as Refusal).code], message).toEqual([403, 'FORBIDDEN'])
        expect(answer.text, message).toMatch(/"reason":"(csrf_token_invalid|cross_site_request)"/)
      }
    }
  })

  test('responds to a stranger about another tenant’s objects exactly as about missing ones', async () => {
    for (const [name, headers] of strangers()) {
      for (const { route, of } of namings()) {
        if (verdictOf(route, headers.caller) !== 'allowed') continue
        if (ROUTES[route]!.shared && name === 'a key of another profile') continue
        const foreign = await ask(route, of(ours.ids), headers.caller.headers)
        const absent = await ask(route, of(ABSENT_IDS), headers.caller.headers)
        expect(comparable(foreign), `${route} for ${name}`).toEqual(comparable(absent))
      }
    }
  })

  test('lists nothing that belongs to another tenant, whatever it filters by', { timeout: 600_000 }, async () => {
    for (const [name, { caller }] of strangers()) await expectNothingOfOurs(name, caller.headers)
  })
})

test('another tenant’s wallet profile accepts no wallet, like one that does not exist', async () => {
  const body = (walletProfileId: number) => ({
    body: { walletAddress: '0x00000000000000000000000000000000000000bb', blockchain: 'polygon', walletProfileId },
  })
  const headers = key(theirs.keys.organization)
  const foreign = await ask('POST /v1/wallets/register', body(ours.ids.walletProfileId), headers)
  const absent = await ask('POST /v1/wallets/register', body(ABSENT_IDS.walletProfileId), headers)
  expect(comparable(foreign)).toEqual(comparable(absent))
  expect(foreign.status).toBe(404)
})

test('the owner of an object gets another response than a stranger', async () => {
  for (const { route, of } of namings()) {
    const { access } = ROUTES[route]!
    const headers = access === 'read' || access === 'write' ? key(ours.keys.organization) : bearer(ours.tokens.owner)
    const own = await ask(route, of(ours.ids), headers)
    const absent = await ask(route, of(ABSENT_IDS), headers)
    expect(comparable(own), route).not.toEqual(comparable(absent))
  }
})

test('any signed-in user can end their other sessions and sign out, which revokes the token', async () => {
  for (const role of ROLES) {
    if (role === 'approver') continue
    const headers = bearer(theirs.tokens[role])
    expect((await ask('DELETE /api/core/auth/sessions', {}, headers)).status).toBe(200)
    expect((await ask('GET /api/core/auth/me', {}, headers)).status).toBe(200)
    expect((await ask('POST /api/core/auth/logout', {}, headers)).status).toBe(200)
    expect((await ask('GET /api/core/auth/me', {}, headers)).status).toBe(401)
  }
})

test('lists nothing that belongs to another tenant and is overdue, whatever it filters by', {
  timeout: 600_000,
}, async () => {
  // No work runs here that would end it.
  examined.clock.advance(400 * 86_400_000)
  const { email, password } = theirs.party
  const { accessToken } = await logIn(examined.parts, { email, password, address: '192.0.2.1' })
  await examined.changes.drain()
  await expectNothingOfOurs('the owner of another organization', bearer(accessToken))
  await expectNothingOfOurs('a key of another organization', key(theirs.keys.organization))
})

async function expectNothingOfOurs(name: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const told = [ours.ids.walletAddress, ours.ids.txHash, ours.ids.userId, ours.party.email]
  const mine = name.includes('organization') ? told : told.slice(0, 3)
  for (const route of routes().filter((candidate) => /^GET \/(v1|api)\/[^{]+$/.test(candidate))) {
    for (const query of [{}, ...filtersOf(examined.contract.document, route)]) {
      const { text } = await ask(route, { query }, headers)
      expect(
        mine.filter((word) => text.includes(word)),
        `${route} ${JSON.stringify(query)} for ${name}`,
      ).toEqual([])
    }
  }
}

/** Callers with access, to whom the organization's ids mean nothing. */
function strangers(): [string, { caller: Caller }][] {
  const of = (name: string, caller: Caller): [string, { caller: Caller }] => [name, { caller }]
  return [
    of('a key of another organization', { is: 'key', scope: 'organization', headers: key(theirs.keys.organization) }),
    of('an admin key of another organization', { is: 'key', scope: 'admin', headers: key(theirs.keys.admin) }),
    of('a profile key of another organization', { is: 'key', scope: 'profile', headers: key(theirs.keys.profile) }),
    of('a key of another profile', { is: 'key', scope: 'profile', headers: key(ours.keys.otherProfile) }),
    of('a service account of another organization', {
      is: 'service account',
      role: 'admin',
      headers: bearer(theirs.secrets.admin),
    }),
    of('the owner of another organization', { is: 'session', role: 'owner', headers: bearer(theirs.tokens.owner) }),
    of('a browser of another organization', { is: 'browser', role: 'owner', headers: ofPage(theirBrowsers.owner) }),
  ]
}

function namings(): { route: string; of: (names: ResourceIds) => PathIds }[] {
  return routes().flatMap((route) =>
    (ROUTES[route]?.request ?? []).map((asks) => ({ route, of: (names: ResourceIds) => asks(names, ourCommon()) })),
  )
}

// Also tested in: resolve-member.test.ts, system/attacks/sso.test.ts.

import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  organizationWithSso,
  PUBLIC_URL,
  type SsoFixture,
  ssoFixture,
} from '../../../../testing/identity/sso-fixture.ts'
import {
  createBrowser,
  type OidcProvider,
  signInAtProvider,
  startOidcProvider,
} from '../../../../testing/stand-ins/oidc-provider.ts'
import { listAuditLog } from '../../audit/list-audit-log.ts'
import { listMembers } from '../../members/list-members.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { startSignIn } from './start-sign-in.ts'

let parts: SsoFixture
let provider: OidcProvider
beforeAll(async () => {
  parts = await ssoFixture()
  provider = await startOidcProvider(`${PUBLIC_URL}/api/core/auth/sso/callback`)
})
afterAll(async () => {
  await provider?.close()
  await parts?.close()
})

/** Begins a sign-in and walks it up to the redirect back. */
async function walk(email: string, login: string) {
  const started = await startSignIn(parts, { email })
  const back = new URL(await signInAtProvider(createBrowser(), started.url, login))
  const state = back.searchParams.get('state')!
  const [, id] = /\/callback\/(\d+)$/.exec(back.pathname) ?? []
  const callbackOf = id === undefined ? undefined : Number(id)
  return { state, callbackOf, query: back.search.slice(1), browserSecret: started.browserSecret, from: '192.0.2.7' }
}

const unknownState = { code: 'UNAUTHORIZED', details: { reason: 'unknown_state' } }

test('a person signs in at a real provider and becomes a member, with a one-time code and an audit entry', async () => {
  const { issuer } = provider
  const home = await organizationWithSso(parts, {
    issuer,
    roleClaim: 'groups',
    roleMappings: [{ value: 'treasury', role: 'approver' }],
  })
  provider.people.set('ada', { email: `ada@${home.domain}`, email_verified: true, groups: ['treasury'], amr: ['mfa'] })
  const callback = await walk(`ada@${home.domain}`, 'ada')
  const { code, expiresAt } = await completeSignIn(parts, callback)
  expect(code).toMatch(/^[0-9A-Za-z]{43}$/)
  expect(expiresAt.getTime() - parts.clock.now().getTime()).toBe(120_000)
  const { organizationId } = home.owner
  expect((await listMembers(parts, organizationId)).items[0]).toMatchObject({ role: 'approver' })
  const { items } = await listAuditLog(parts, organizationId, {}, { limit: 2, offset: 0 })
  expect(items.map(({ action, from }) => [action, from])).toEqual([
    ['linkSsoAccount', '192.0.2.7'],
    ['addMemberBySso', '192.0.2.7'],
  ])
  await expect(completeSignIn(parts, callback)).rejects.toMatchObject(unknownState)
})

test('a state works in its browser only, for ten minutes, and a stranger does not consume it', async () => {
  const home = await organizationWithSso(parts, { issuer: provider.issuer })
  provider.people.set('bob', { email: `bob@${home.domain}`, email_verified: true })
  const callback = await walk(`bob@${home.domain}`, 'bob')
  for (const browserSecret of [undefined, 'x'.repeat(43)])
    await expect(completeSignIn(parts, { ...callback, browserSecret })).rejects.toMatchObject(unknownState)
  expect(await completeSignIn(parts, callback)).toMatchObject({ code: expect.any(String) })
  const late = await walk(`bob@${home.domain}`, 'bob')
  parts.clock.advance(600_000)
  await expect(completeSignIn(parts, late)).rejects.toMatchObject(unknownState)
})

test('a refusal of the provider is reported, and consumes the state', async () => {
  const home = await organizationWithSso(parts, { issuer: provider.issuer })
  const { url, browserSecret } = await startSignIn(parts, { email: `eve@${home.domain}` })
  const state = new URL(url).searchParams.get('state')!
  const callback = {
    state,
    callbackOf: home.provider.id,
    browserSecret,
    query: `state=${state}&error=access_denied`,
    error: 'access_denied',
    from: null,
  }
  await expect(completeSignIn(parts, callback)).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
    details: { reason: 'provider_refused', problem: 'access_denied' },
  })
  await expect(completeSignIn(parts, callback)).rejects.toMatchObject(unknownState)
})

test('a rotated key is known at the next sign-in', async () => {
  const home = await organizationWithSso(parts, { issuer: provider.issuer })
  provider.people.set('cyd', { email: `cyd@${home.domain}`, email_verified: true })
  await completeSignIn(parts, await walk(`cyd@${home.domain}`, 'cyd'))
  await provider.rotateKey()
  expect(await completeSignIn(parts, await walk(`cyd@${home.domain}`, 'cyd'))).toMatchObject({
    code: expect.any(String),
  })
})

const otherUri = { code: 'UNAUTHORIZED', details: { reason: 'sign_in_failed', problem: 'OTHER_REDIRECT_URI' } }

test('a response counts at the redirect URI of its own provider only', async () => {
  const home = await organizationWithSso(parts, { issuer: provider.issuer })
  const other = await organizationWithSso(parts, { issuer: provider.issuer })
  provider.people.set('dan', { email: `dan@${home.domain}`, email_verified: true })
  for (const callbackOf of [other.provider.id, undefined]) {
    const callback = await walk(`dan@${home.domain}`, 'dan')
    expect(callback.callbackOf).toBe(home.provider.id)
    await expect(completeSignIn(parts, { ...callback, callbackOf })).rejects.toMatchObject(otherUri)
  }
})

test('a response at the shared redirect URI names its issuer once, whatever the provider says of itself', async () => {
  const home = await organizationWithSso(parts, { issuer: provider.issuer })
  await parts.db.updateTable('sso_providers').set({ own_callback: null }).where('id', '=', home.provider.id).execute()
  provider.people.set('fay', { email: `fay@${home.domain}`, email_verified: true })
  const respond = async (change: (query: URLSearchParams) => void) => {
    const callback = await walk(`fay@${home.domain}`, 'fay')
    expect(callback.callbackOf).toBeUndefined()
    const query = new URLSearchParams(callback.query)
    change(query)
    return await completeSignIn(parts, { ...callback, query: query.toString() })
  }
  const lies = [
    (query: URLSearchParams) => query.delete('iss'),
    (query: URLSearchParams) => query.set('iss', 'http://127.0.0.1:9'),
    (query: URLSearchParams) => query.set('iss', 'no address'),
    (query: URLSearchParams) => query.append('iss', provider.issuer),
  ]
  for (const lie of lies) await expect(respond(lie)).rejects.toMatchObject(otherUri)
  expect(await respond(() => {})).toMatchObject({ code: expect.any(String) })
})

test('a provider of an earlier version that sent somebody to its own redirect URI keeps to it', async () => {
  const home = await organizationWithSso(parts, { issuer: provider.issuer })
  provider.people.set('gus', { email: `gus@${home.domain}`, email_verified: true })
  const callback = await walk(`gus@${home.domain}`, 'gus')
  await parts.db.updateTable('sso_providers').set({ own_callback: null }).where('id', '=', home.provider.id).execute()
  await completeSignIn(parts, callback)
  expect((await walk(`gus@${home.domain}`, 'gus')).callbackOf).toBe(home.provider.id)
})

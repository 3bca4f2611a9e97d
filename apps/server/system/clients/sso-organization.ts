import { expect } from 'vitest'
import type { DnsServer } from '../../testing/stand-ins/dns-server.ts'
import { createBrowser, signInAtProvider, type TestBrowser } from '../../testing/stand-ins/oidc-provider.ts'
import { until } from '../../testing/until.ts'
import type { System } from '../service/start-system.ts'
import type { Data, Session } from './api-types.ts'
import { ANONYMOUS, type HttpResponse } from './client.ts'
import { type RegisteredOrganization, registerOrganization } from './register-organization.ts'

/** An organization with a domain that it proved by DNS, and an identity provider that has it. */
export interface SsoOrganization extends RegisteredOrganization {
  readonly id: number
  readonly domain: string
  readonly providerId: number
  /** The members' addresses, roles and sessions' count: what an attack must not change. */
  members(): Promise<readonly { readonly id: number; readonly email: string; readonly role: string }[]>
}

interface SsoSetup {
  readonly system: System
  readonly dns: DnsServer
  readonly domain: string
  readonly provider: object
}

export const CLIENT = {
  name: 'Directory',
  clientId: 'weir',
  clientSecret: 'a-secret-of-the-tests-for-weir-at-the-provider',
}

export async function createSsoOrganization({ system, dns, domain, provider }: SsoSetup): Promise<SsoOrganization> {
  const party = await registerOrganization(system)
  type Claimed = Data<{ id: number; recordName: string; recordValue: string }>
  const { data: claimed } = (await party.owner.post<Claimed>('/api/core/sso/domains', { domain })).body
  dns.records.set(claimed.recordName, claimed.recordValue)
  expect((await party.owner.post(`/api/core/sso/domains/${claimed.id}/verify`)).status).toBe(200)
  const fields = { ...CLIENT, defaultRole: 'viewer', domains: [domain], ...provider }
  const { body } = await party.owner.post<Data<{ id: number }>>('/api/core/sso/providers', fields)
  return {
    ...party,
    id: party.session.organization.id,
    domain,
    providerId: body.data.id,
    members: async () =>
      (await party.owner.get<Data<{ id: number; email: string; role: string }[]>>('/api/core/members')).body.data,
  }
}

/** Adds an approver, and a rule by which changes of members need an approval. */
export async function requireApprovalOfMembers({ owner, id, password }: SsoOrganization): Promise<void> {
  const approver = { email: `approver@${id}.example`, password, role: 'approver' }
  expect((await owner.post('/api/core/members', approver)).status).toBe(201)
  const rules = { members: { requiredApprovals: 1, coolingOffSeconds: 0 } }
  expect((await owner.request('PUT', '/api/core/change-policy', { body: { rules } })).status).toBe(200)
}

/** A member of another organization with this address, which they did not prove. */
export async function memberElsewhere(system: System, email: string) {
  const { owner, password } = await registerOrganization(system)
  const { body } = await owner.post<Data<{ id: number }>>('/api/core/members', { email, password, role: 'admin' })
  const nobody = system.as(ANONYMOUS)
  const logIn = (name: string) =>
    nobody.post<Data<{ user: { id: number } }>>('/api/core/auth/login', { email: name, password })
  /** By the link in the email that the member got. */
  async function prove(): Promise<void> {
    const mails = () => nobody.get<Data<{ id: number }[]>>(`/sandbox/mailbox?to=${email}`)
    const { id } = await until(async () => (await mails()).body.data[0])
    const { text } = (await nobody.get<Data<{ text: string }>>(`/sandbox/mailbox/${id}`)).body.data
    const token = /#verify=(\w+)/.exec(text)?.[1]
    expect((await nobody.post('/api/core/auth/email-verification/confirm', { token, password })).status).toBe(200)
  }
  return { id: body.data.id, email, logIn, prove }
}

/** Begins a sign-in in a browser; returns where the browser is sent. */
export async function beginSignIn(system: System, browser: TestBrowser, query: string): Promise<URL> {
  const response = await browser.request(`${system.process.url}/api/core/auth/sso/start?${query}`, {
    accept: 'text/html',
  })
  expect(response.status, await response.clone().text()).toBe(302)
  return new URL(response.headers.get('location')!)
}

/** What the callback responds to a browser that asks for JSON. */
export async function callBack(browser: TestBrowser, url: string) {
  const response = await browser.request(url)
  const body = (await response.json()) as {
    readonly code?: string
    readonly details?: { readonly reason?: string }
    readonly data?: { readonly code: string }
  }
  return { status: response.status, reason: body.details?.reason, code: body.data?.code }
}

/** Walks a whole sign-in at a real provider, up to the one-time code. */
export async function signIn(system: System, organization: SsoOrganization, login: string) {
  const browser = createBrowser()
  const start = await beginSignIn(system, browser, `email=${login}@${organization.domain}`)
  return await callBack(browser, await signInAtProvider(browser, start.href, login))
}

export function exchange(system: System, code: string): Promise<HttpResponse<Data<Session>>> {
  return system.as(ANONYMOUS).post('/api/core/auth/sso/token', { code })
}

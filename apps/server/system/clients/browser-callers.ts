import { csrfTokenOf } from '../../src/surfaces/http/index.ts'
import { type OrganizationFixture, ROLES } from '../access/organization-fixture.ts'
import type { InProcessService } from '../service/in-process-service.ts'

type Role = (typeof ROLES)[number]
type Headers = Readonly<Record<string, string>>

/** A browser that a member signed in with: the cookie, and what the page learned for its unsafe requests. */
export interface BrowserSession {
  readonly cookie: string
  readonly csrfToken: string
}

/** What a browser sends along with a request of a page of this service. */
const OWN_PAGE = { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-origin' }

/** Signs each role of the organization in with a browser. */
export async function signInBrowsers(
  examined: InProcessService,
  { party: { email, password } }: OrganizationFixture,
): Promise<Record<Role, BrowserSession>> {
  const sessions: Partial<Record<Role, BrowserSession>> = {}
  for (const role of ROLES) {
    const address = role === 'owner' ? email : `${role}-of-${email}`
    const answer = await examined.send({
      method: 'POST',
      path: '/api/core/auth/login',
      headers: { ...OWN_PAGE, 'content-type': 'application/json', 'x-weir-session': 'cookie' },
      body: JSON.stringify({ email: address, password }),
    })
    const cookie = answer.headers.get('set-cookie')!.split(';')[0]!
    const path = '/api/core/auth/browser-session'
    const page = await examined.send({ method: 'GET', path, headers: { ...OWN_PAGE, cookie } })
    sessions[role] = { cookie, csrfToken: JSON.parse(page.text).data.csrfToken }
  }
  return sessions as Record<Role, BrowserSession>
}

/** The headers of a request that the dashboard sends. */
export const ofPage = ({ cookie, csrfToken }: BrowserSession): Headers => ({
  ...OWN_PAGE,
  cookie,
  'x-weir-csrf': csrfToken,
})

/** Requests that carry the cookie of the owner although no page of this service sent them, by what is wrong. */
export function forgedRequests({ owner, admin }: Record<Role, BrowserSession>): Record<string, Headers> {
  const { cookie, csrfToken } = owner
  const token = { 'x-weir-csrf': csrfToken }
  return {
    'a page without the token': { ...OWN_PAGE, cookie },
    'a page with the token of another session': { ...OWN_PAGE, cookie, 'x-weir-csrf': admin.csrfToken },
    'a page of another site': { cookie, ...token, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    'a page of a sibling host': { cookie, ...token, 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:4000' },
    'an old browser on another site': { cookie, ...token, origin: 'https://evil.example' },
    'a sandboxed frame': { cookie, ...token, origin: 'null' },
  }
}

/** Whether the pipeline refuses a forged request to a route that takes sessions: reads need no token. */
export const isRefusedAsForged = (name: string, method: string): boolean => method !== 'GET' || !name.includes('token')

/** A cookie of the right form that nobody was given, with the token that belongs to it. */
export function madeUpSession({ cookie }: BrowserSession): BrowserSession {
  const value = 'a'.repeat(43)
  return { cookie: `${cookie.split('=')[0]}=${value}`, csrfToken: csrfTokenOf(value) }
}

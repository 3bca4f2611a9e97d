import type { ResourceIds } from './organization-fixture.ts'
import type { PathIds, RouteAccess } from './path-ids.ts'

const provider = ({ ssoProviderId: id }: ResourceIds): PathIds => ({ path: { id } })
const renamed = (names: ResourceIds): PathIds => ({ ...provider(names), body: { name: 'Other' } })
const domain = ({ ssoDomainId: id }: ResourceIds): PathIds => ({ path: { id } })
const member = ({ memberId: id }: ResourceIds): PathIds => ({ path: { id } })

/** The routes of single sign-on; those that change or remove objects come last. */
export const SSO_ROUTES: Readonly<Record<string, RouteAccess>> = {
  'GET /api/core/auth/sso/start': { access: 'open' },
  'GET /api/core/auth/sso/callback': { access: 'open' },
  'GET /api/core/auth/sso/callback/{id}': { access: 'open' },
  'POST /api/core/auth/sso/token': { access: 'open' },
  'GET /api/core/sso/providers': { access: 'admins' },
  'GET /api/core/sso/domains': { access: 'admins' },
  'POST /api/core/sso/providers': { access: 'owners' },
  'POST /api/core/sso/domains': { access: 'owners' },
  'POST /api/core/sso/members': { access: 'admins' },
  'POST /api/core/sso/domains/{id}/verify': { access: 'owners', request: [domain] },
  'PATCH /api/core/sso/providers/{id}': { access: 'owners', request: [renamed] },
  'DELETE /api/core/members/{id}/sso-accounts': { access: 'admins', request: [member] },
  'DELETE /api/core/sso/domains/{id}': { access: 'owners', request: [domain] },
  'DELETE /api/core/sso/providers/{id}': { access: 'owners', request: [provider] },
}

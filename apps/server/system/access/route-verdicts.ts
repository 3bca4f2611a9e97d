import type { ROLES } from './organization-fixture.ts'
import { type Access, ROUTES } from './route-access.ts'
import { SERVICE_ACCOUNT_ROUTES } from './service-account-routes.ts'

/** A caller of a route, as the matrix sees it. */
export interface Caller {
  readonly is:
    | 'nobody'
    | 'unknown key'
    | 'revoked key'
    | 'key'
    | 'unknown session'
    | 'session'
    | 'browser'
    | 'unknown browser'
    | 'service account'
  readonly scope?: 'organization' | 'admin' | 'profile'
  readonly role?: (typeof ROLES)[number]
  readonly headers: Readonly<Record<string, string>>
}

/** Each role may do everything that earlier ones may. */
const ROLES_BY_RANK: readonly (typeof ROLES)[number][] = ['viewer', 'approver', 'admin', 'owner']

const isManager = (role: Caller['role']): boolean => role === 'admin' || role === 'owner'

export type Verdict = 'allowed' | readonly [status: number, code: string]

/** Contract 3 and 4, for a route with the documented parameters. */
export function verdictOf(route: string, caller: Caller): Verdict {
  const { access } = ROUTES[route]!
  return caller.is === 'service account' ? ofServiceAccount(route, access, caller) : ofOthers(access, caller)
}

/** A service account has no key, and reaches the routes of its list as far as its role allows. */
function ofServiceAccount(route: string, access: Access, { role }: Caller): Verdict {
  if (access === 'open') return 'allowed'
  if (access === 'read' || access === 'write') return [401, 'INVALID_API_KEY']
  if (access === 'agents' || access === 'validate') return [401, 'UNAUTHORIZED']
  const isListed = SERVICE_ACCOUNT_ROUTES.has(route)
  return isListed && (access !== 'admins' || isManager(role)) ? 'allowed' : [403, 'FORBIDDEN']
}

function ofOthers(access: Access, caller: Caller): Verdict {
  const { is, scope, role } = caller
  switch (access) {
    case 'open':
      return 'allowed'
    case 'validate':
      return 'x-api-key' in caller.headers && is !== 'nobody' ? 'allowed' : [401, 'UNAUTHORIZED']
    case 'read':
    case 'write':
      if (is === 'revoked key') return [403, 'API_KEY_DISABLED']
      if (is === 'unknown browser') return [401, 'UNAUTHORIZED']
      if (is === 'browser') return access === 'read' || isManager(role) ? 'allowed' : [403, 'FORBIDDEN']
      if (is !== 'key') return [401, 'INVALID_API_KEY']
      return access === 'write' && scope === 'admin' ? [403, 'FORBIDDEN'] : 'allowed'
    case 'readers':
    case 'agents':
      if ((is === 'session' || is === 'browser') && access === 'readers') return 'allowed'
      if (is === 'revoked key') return [403, 'API_KEY_DISABLED']
      if (is !== 'key') return [401, 'UNAUTHORIZED']
      return scope === 'organization' ? 'allowed' : [403, 'FORBIDDEN']
    case 'everyone':
    case 'approvers':
    case 'admins':
    case 'owners': {
      if (is !== 'session' && is !== 'browser') return [401, 'UNAUTHORIZED']
      const least = { everyone: 'viewer', approvers: 'approver', admins: 'admin', owners: 'owner' } as const
      const suffices = ROLES_BY_RANK.indexOf(role!) >= ROLES_BY_RANK.indexOf(least[access])
      return suffices ? 'allowed' : [403, 'FORBIDDEN']
    }
  }
}

/** The security that the document must declare for each access in the table. */
export const SECURITY: Record<Access, unknown> = {
  open: [],
  read: [{ apiKey: [] }],
  write: [{ apiKey: [] }],
  validate: [{ apiKey: [] }],
  everyone: [{ bearer: [] }, { cookie: [] }],
  approvers: [{ bearer: [] }, { cookie: [] }],
  admins: [{ bearer: [] }, { cookie: [] }],
  owners: [{ bearer: [] }, { cookie: [] }],
  agents: [{ apiKey: [] }],
  readers: [{ bearer: [] }, { cookie: [] }, { apiKey: [] }],
}

import type { ROLES } from './organization-fixture.ts'
import type { Access } from './route-access.ts'

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
  readonly scope?: 'organization' | 'admin' | 'profile'
  readonly role?: (typeof ROLES)[number]
  readonly headers: Readonly<Record<string, string>>
}

/** Each role may do everything that earlier ones may. */
const ROLES_BY_RANK: readonly (typeof ROLES)[number][] = ['viewer', 'approver', 'admin', 'owner']

const isManager = (role: Caller['role']): boolean => role === 'admin' || role === 'owner'

export type Verdict = 'allowed' | readonly [status: number, code: string]

/** Contract 3 and 4, for a route of this access with the documented parameters. */
export function verdictOf(access: Access, caller: Caller): Verdict {
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

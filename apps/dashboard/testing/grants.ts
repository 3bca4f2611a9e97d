import { ROUTES } from '../../server/system/access/route-access.ts'
import { ROLES, type Role } from './role-offers.ts'

const LEAST: Readonly<Record<string, Role>> = {
  everyone: 'viewer',
  readers: 'viewer',
  approvers: 'approver',
  admins: 'admin',
  owners: 'owner',
  // A member who could make a key for it.
  write: 'admin',
}

/** Whether the service grants a session of this role the route; undefined where it needs no session, or takes none. */
export function grants(route: string, role: Role): boolean | undefined {
  const least = LEAST[ROUTES[route]!.access]
  return least && ROLES.indexOf(role) >= ROLES.indexOf(least)
}

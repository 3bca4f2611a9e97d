import { ADMINS, EVERYONE, OWNERS } from '../http/index.ts'

/** Common route configs of the core surface: who may call a route and which rate limit applies. */
export const byEveryone = { access: { surface: 'core', roles: EVERYONE }, limit: 'core' } as const
/** All users, also while they may do nothing but set their own password. */
export const beforePasswordChange = {
  access: { surface: 'core', roles: EVERYONE, beforePasswordChange: true },
  limit: 'core',
} as const
/** All users, and organization keys; not profile keys. */
export const byEveryoneAndKeys = { access: { surface: 'core', roles: EVERYONE, key: 'read' }, limit: 'core' } as const
export const byAdmins = { access: { surface: 'core', roles: ADMINS }, limit: 'core' } as const
export const byOwners = { access: { surface: 'core', roles: OWNERS }, limit: 'core' } as const

import { ADMINS, EVERYONE, OWNERS } from '../http/index.ts'

/** Common route configs of the core surface: who may call a route and which rate limit applies. */
export const byEveryone = { access: { surface: 'core', roles: EVERYONE }, limit: 'core' } as const
/** All users, even those who must first set their own password or enroll a second factor. */
export const beforePasswordChange = {
  access: { surface: 'core', roles: EVERYONE, beforePasswordChange: true, beforeEnrollment: true },
  limit: 'core',
} as const
/** All users, even those who must first enroll a second factor. */
export const beforeEnrollment = {
  access: { surface: 'core', roles: EVERYONE, beforeEnrollment: true },
  limit: 'core',
} as const
/** All users and service accounts, and organization keys; not profile keys. */
export const byEveryoneAndKeys = {
  access: { surface: 'core', roles: EVERYONE, key: 'read', serviceAccounts: true },
  limit: 'core',
} as const
/** All users and service accounts. */
export const byEveryoneAndServiceAccounts = {
  access: { surface: 'core', roles: EVERYONE, serviceAccounts: true },
  limit: 'core',
} as const
/** Owners and admins, and service accounts with the role admin. */
export const byAdminsAndServiceAccounts = {
  access: { surface: 'core', roles: ADMINS, serviceAccounts: true },
  limit: 'core',
} as const
export const byAdmins = { access: { surface: 'core', roles: ADMINS }, limit: 'core' } as const
/** Owners and admins who verified their second factor recently, if they have one. */
export const byAdminsWithStepUp = { access: { surface: 'core', roles: ADMINS, stepUp: true }, limit: 'core' } as const
/** The same for owners only. */
export const byOwnersWithStepUp = { access: { surface: 'core', roles: OWNERS, stepUp: true }, limit: 'core' } as const

import { ADMINS, EVERYONE } from '../http/index.ts'

/** Who may call a route, and by which limit: the `config` of most routes of core, alone or with more beside it. */
export const byEveryone = { access: { surface: 'core', roles: EVERYONE }, limit: 'core' } as const
/** Beside people the organization's own keys, not those of a profile. */
export const byEveryoneAndKeys = { access: { surface: 'core', roles: EVERYONE, key: true }, limit: 'core' } as const
export const byAdmins = { access: { surface: 'core', roles: ADMINS }, limit: 'core' } as const

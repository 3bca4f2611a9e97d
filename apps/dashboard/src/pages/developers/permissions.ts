import type { Schema } from '../../api/types.ts'

const PERMISSIONS = ['read', 'plan', 'submit', 'ramp', 'agent'] as const
type Permission = (typeof PERMISSIONS)[number]
type Key = Pick<Schema<'ApiKey'>, 'scope' | 'permissions'>

/** What each permission opens, in a sentence; the same words stand where a key is made and where it is taken away. */
export const OPENS: Readonly<Record<string, string>> = {
  read: 'reads wallets, positions, operations and events',
  plan: 'plans operations and registers wallets',
  submit: 'submits signed transactions',
  ramp: 'moves money between banks and chains',
  agent: 'leases transactions to sign them',
}

/** What a key of each scope can have, as the service limits it: with `admin`, a key only reads. */
export const OF_SCOPE: Readonly<Record<Key['scope'], readonly Permission[]>> = {
  organization: PERMISSIONS,
  profile: ['read', 'plan', 'submit', 'ramp'],
  admin: ['read', 'ramp'],
}

/** What a key can do, in sentences: what it was limited to, or everything of its scope. */
export const powersOf = ({ scope, permissions }: Key): readonly string[] =>
  (permissions ?? OF_SCOPE[scope]).map((each) =>
    scope === 'admin' && each === 'ramp' ? 'reads payments between banks and chains' : OPENS[each]!,
  )

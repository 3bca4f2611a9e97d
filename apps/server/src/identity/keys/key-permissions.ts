import type { KeyPermission, KeyScope } from '../../database/index.ts'
import { validationError } from '../../kernel/index.ts'

/** Every permission, with what it allows. */
export const KEY_PERMISSIONS: Readonly<Record<KeyPermission, string>> = {
  read: 'read wallets, venues, allocations, operations and events',
  plan: 'register and change wallets, plan and cancel operations, and use the sandbox',
  submit: 'get unsigned transactions, submit signed ones, report hashes and recover operations',
  ramp: 'read and write verifications, recipients, ramp accounts and payments',
  agent: 'lease, sign and report the work of the custody agent',
}

/** What keys of a scope can be limited to. An admin key only reads, so `ramp` gives it the ramp's records. */
const BY_SCOPE: Readonly<Record<KeyScope, readonly KeyPermission[]>> = {
  organization: ['read', 'plan', 'submit', 'ramp', 'agent'],
  profile: ['read', 'plan', 'submit', 'ramp'],
  admin: ['read', 'ramp'],
}

/**
 * The permissions of a new key, without repetitions. An agent's key runs unattended next to the keys of the wallets, so
 * `agent` cannot be combined with another permission. VALIDATION_ERROR otherwise.
 */
export function validatePermissions(scope: KeyScope, permissions: readonly KeyPermission[]): KeyPermission[] {
  const wanted = [...new Set(permissions)]
  if (wanted.length === 0) throw validationError('permissions', 'must name at least one permission')
  const foreign = wanted.find((permission) => !BY_SCOPE[scope].includes(permission))
  if (foreign !== undefined) {
    throw validationError('permissions', `a key with the scope ${scope} cannot have the permission ${foreign}`)
  }
  if (wanted.includes('agent') && wanted.length > 1) {
    throw validationError('permissions', 'agent cannot be combined with other permissions')
  }
  return wanted
}

/** What a key may do: its own permissions, or everything of its scope. */
export function effectivePermissions(key: {
  readonly scope: KeyScope
  readonly permissions: readonly KeyPermission[] | null
}): readonly KeyPermission[] {
  return key.permissions ?? BY_SCOPE[key.scope]
}

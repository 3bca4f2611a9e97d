import type { KeyPermission, KeyScope } from '../../database/index.ts'
import type { Refusal } from '../../kernel/index.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { authenticateKey } from './authenticate-key.ts'
import { effectivePermissions } from './key-permissions.ts'
import { refusalOfKey } from './refusal-of-key.ts'

/**
 * Whether a key works here, and if not, why. All scopes are valid; a key of the other environment is unknown (contract
 * 3).
 */
export interface KeyValidity {
  readonly valid: boolean
  readonly message: string
  /** Of a valid key. */
  readonly scope?: KeyScope
  /** What a valid key may do. */
  readonly permissions?: readonly KeyPermission[]
  /** Of a key that does not work, for its security event. */
  readonly refusal?: Refusal
}

const MESSAGES = {
  valid: 'The API key is valid.',
  unknown: 'The API key is not recognized.',
  revoked: 'The API key was revoked.',
  expired: 'The API key has expired.',
  'address-not-allowed': 'The API key may not be used from this address.',
  'organization-deleted': 'The organization of this API key no longer exists.',
} as const

/** Checks a key as it was sent from an address; never throws for a bad one. */
export async function validateKey(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'secrets' | 'environment' | 'usage'>,
  presented: string,
  from?: string,
): Promise<KeyValidity> {
  const check = await authenticateKey(parts, presented, from)
  const message = MESSAGES[check.status]
  if (check.status !== 'valid') return { valid: false, message, refusal: refusalOfKey(check) }
  return { valid: true, message, scope: check.credential.scope, permissions: effectivePermissions(check.credential) }
}

import type { IdentityParts } from '../shared/parts.ts'
import { authenticateKey } from './authenticate-key.ts'

/**
 * Whether a key works here, and if not, why. All scopes are valid; a key of the other environment is unknown (contract
 * 3).
 */
export interface KeyValidity {
  readonly valid: boolean
  readonly message: string
}

const MESSAGES = {
  valid: 'The API key is valid.',
  unknown: 'The API key is not recognized.',
  revoked: 'The API key was revoked.',
  'organization-deleted': 'The organization of this API key no longer exists.',
} as const

/** Checks a key as it was sent; never throws for a bad one. */
export async function validateKey(
  parts: Pick<IdentityParts, 'db' | 'secrets' | 'environment' | 'usage'>,
  presented: string,
): Promise<KeyValidity> {
  const { status } = await authenticateKey(parts, presented)
  return { valid: status === 'valid', message: MESSAGES[status] }
}

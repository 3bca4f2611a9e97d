import type { Refusal } from '../../kernel/index.ts'
import type { KeyCheck } from './authenticate-key.ts'

const REASONS = {
  unknown: 'unknown_key',
  revoked: 'revoked_key',
  expired: 'expired_key',
  'address-not-allowed': 'address_not_allowed',
  'organization-deleted': 'organization_deleted',
} as const

/** What a security event says about a key that does not work: the reason, and whose key it is if it is known. */
export function refusalOfKey(check: Exclude<KeyCheck, { status: 'valid' }>): Refusal {
  const reason = REASONS[check.status]
  if (check.status === 'unknown') return { reason }
  const { organizationId, id } = check.key
  return { reason, organizationId, actor: { type: 'key', id } }
}

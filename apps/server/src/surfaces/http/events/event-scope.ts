import { type Credential, scopeOf } from '../../../identity/index.ts'
import type { EventScope } from '../../../webhooks/index.ts'

/**
 * The events that a credential may read: those of the ramp only if it may read the ramp itself. A service account never
 * may, and a key with permissions only with `ramp`.
 */
export function eventScopeOf(credential: Credential): EventScope {
  return { ...scopeOf(credential), ...(!mayReadRamp(credential) && { withoutRamp: true }) }
}

/** Whether a credential may read payments, recipients and their accounts. */
export function mayReadRamp(credential: Credential): boolean {
  if (credential.kind === 'service_account') return false
  return credential.kind === 'user' || (credential.permissions?.includes('ramp') ?? true)
}

import { type Credential, scopeOf } from '../../../identity/index.ts'
import type { EventScope } from '../../../webhooks/index.ts'

/** The events that a credential may read: those of payments only with the permission `ramp`, as the payments themselves. */
export function eventScopeOf(credential: Credential): EventScope {
  const isRestricted = credential.kind === 'key' && !(credential.permissions?.includes('ramp') ?? true)
  return { ...scopeOf(credential), ...(isRestricted && { withoutRamp: true }) }
}

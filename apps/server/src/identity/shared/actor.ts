import type { AuditActorType } from '../../database/index.ts'
import type { Credential } from './credential.ts'

/** Who did something: a member, an API key, or the service itself. */
export interface Actor {
  readonly type: AuditActorType
  /** `null` for the service. */
  readonly id: number | null
}

/** The service itself, for example the rebalancer. */
export const SYSTEM_ACTOR: Actor = { type: 'system', id: null }

export function actorOf(credential: Credential): Actor {
  return credential.kind === 'user' ? { type: 'user', id: credential.userId } : { type: 'key', id: credential.keyId }
}

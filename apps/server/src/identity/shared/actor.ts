import type { AuditActorType } from '../../database/index.ts'
import type { Credential } from './credential.ts'

/** Who did something: a member, an API key, a service account, or the service itself. */
export interface Actor {
  readonly type: AuditActorType
  /** `null` for the service. */
  readonly id: number | null
  /** Of a service account that requests something now: the member who holds its secret. */
  readonly heldBy?: number
}

/** The service itself, for example the rebalancer. */
export const SYSTEM_ACTOR: Actor = { type: 'system', id: null }

export function actorOf(credential: Credential): Actor {
  switch (credential.kind) {
    case 'user':
      return { type: 'user', id: credential.userId }
    case 'key':
      return { type: 'key', id: credential.keyId }
    case 'service_account':
      return { type: 'service_account', id: credential.serviceAccountId, heldBy: credential.heldBy }
  }
}

/** Who created an object, as its columns. */
export function creatorColumns(actor: Actor | undefined): {
  created_by_type: AuditActorType | null
  created_by_id: number | null
} {
  return { created_by_type: actor?.type ?? null, created_by_id: actor?.id ?? null }
}

/** Who created an object; `null` for objects of earlier versions. */
export function creatorFrom(row: {
  readonly created_by_type: AuditActorType | null
  readonly created_by_id: number | null
}): Actor | null {
  return row.created_by_type === null ? null : { type: row.created_by_type, id: row.created_by_id }
}

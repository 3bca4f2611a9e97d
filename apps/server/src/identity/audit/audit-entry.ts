import { createHash } from 'node:crypto'
import type { Actor } from '../shared/actor.ts'

/** One entry of an organization's audit log: who did what to which object, when, from where (contract 7). */
export interface AuditEntry {
  readonly organizationId: number
  readonly actor: Actor
  /** The `operationId` of the request in the API reference: `addMember`. */
  readonly action: string
  readonly objectType: string
  readonly objectId: number | null
  /** The client's network address; `null` for the service. */
  readonly from: string | null
  readonly at: Date
  /** Additional facts, as JSON text. No secrets and nothing personal: an entry is kept forever. */
  readonly details: string | null
}

/** An entry with its place in the chain: its number within the organization, and the hash of the previous entry. */
export interface ChainedAuditEntry extends AuditEntry {
  readonly id: number
  readonly previousHash: Buffer
}

/** The columns of an entry, waiting or chained. */
export interface AuditRow {
  readonly organization_id: number
  readonly at: Date
  readonly actor_type: Actor['type']
  readonly actor_id: number | null
  readonly action: string
  readonly object_type: string
  readonly object_id: number | null
  readonly ip_address: string | null
  readonly details: string | null
}

export function entryFrom(row: AuditRow): AuditEntry {
  return {
    organizationId: row.organization_id,
    at: row.at,
    actor: { type: row.actor_type, id: row.actor_id },
    action: row.action,
    objectType: row.object_type,
    objectId: row.object_id,
    from: row.ip_address,
    details: row.details,
  }
}

/** The previous hash of an organization's first entry. */
export const GENESIS_HASH = Buffer.alloc(32)

/** Part of every hash, so that entries of another format can never be mistaken for these. */
const FORMAT = 'weir-audit-1'

/**
 * SHA-256 over the whole content of an entry and the hash of the previous entry. The hashed text is a JSON array in a
 * fixed order, so no two different entries have the same text; docs/audit-log.md shows how to check it by hand.
 */
export function hashAuditEntry(entry: ChainedAuditEntry): Buffer {
  const content = [
    FORMAT,
    entry.organizationId,
    entry.id,
    entry.at.toISOString(),
    entry.actor.type,
    entry.actor.id,
    entry.action,
    entry.objectType,
    entry.objectId,
    entry.from,
    entry.details,
    entry.previousHash.toString('hex'),
  ]
  return createHash('sha256').update(JSON.stringify(content)).digest()
}

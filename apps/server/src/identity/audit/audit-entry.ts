import { createHash } from 'node:crypto'
import type { AuditActorType } from '../../database/index.ts'

/** Who acts: a member, an API key, or the service by itself. */
export interface AuditActor {
  readonly type: AuditActorType
  /** `null` for the service. */
  readonly id: number | null
}

/** One entry of an organization's audit log: who did what to which object, when, from where (contract 7). */
export interface AuditEntry {
  readonly organizationId: number
  readonly actor: AuditActor
  /** The `operationId` of the request in the API reference: `addMember`. */
  readonly action: string
  readonly objectType: string
  readonly objectId: number | null
  /** The client's network address; `null` for the service. */
  readonly from: string | null
  readonly at: Date
  /** What is worth knowing beside it, as JSON text. No secret, and nothing personal: an entry stays for ever. */
  readonly details: string | null
}

/** An entry in its place: the how-manieth of its organization, and the hash of the one before it. */
export interface ChainedAuditEntry extends AuditEntry {
  readonly id: number
  readonly previousHash: Buffer
}

/** What the first entry of an organization follows. */
export const GENESIS_HASH = Buffer.alloc(32)

/** Written into every hash, so that entries of another form could never be taken for these. */
const FORM = 'weir-audit-1'

/**
 * SHA-256 over everything that an entry says and over the hash of the entry before it. The text that is hashed is a JSON
 * array in a fixed order, so that no two different entries read alike; docs/audit-log.md shows how to check it by hand.
 */
export function hashAuditEntry(entry: ChainedAuditEntry): Buffer {
  const said = [
    FORM,
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
  return createHash('sha256').update(JSON.stringify(said)).digest()
}

import type { Tx } from '../../database/index.ts'
import { type AuditEntry, hashAuditEntry } from './audit-entry.ts'
import { lockAuditHead } from './lock-audit-head.ts'

/** A new entry; `details` are plain JSON. */
export type NewAuditEntry = Omit<AuditEntry, 'details'> & { readonly details?: Record<string, unknown> | undefined }

/**
 * Appends an entry to the organization's audit log in the transaction of the change: no change without its entry, no
 * entry without its change. Writers of one organization are serialized from here to their commit, so call it at the end
 * of a transaction.
 */
export async function appendAuditEntry(tx: Tx, entry: NewAuditEntry): Promise<void> {
  const { organizationId } = entry
  const head = await lockAuditHead(tx, organizationId)
  const details = entry.details === undefined ? null : JSON.stringify(entry.details)
  const chained = { ...entry, details, id: head.entries + 1, previousHash: head.hash }
  const hash = hashAuditEntry(chained)
  await tx
    .with('moved_on', (query) =>
      query.updateTable('audit_heads').set({ entries: chained.id, hash }).where('organization_id', '=', organizationId),
    )
    .insertInto('audit_log')
    .values({
      organization_id: organizationId,
      id: chained.id,
      at: chained.at,
      actor_type: chained.actor.type,
      actor_id: chained.actor.id,
      action: chained.action,
      object_type: chained.objectType,
      object_id: chained.objectId,
      ip_address: chained.from,
      details,
      previous_hash: chained.previousHash,
      hash,
    })
    .execute()
}

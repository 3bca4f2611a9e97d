import type { Tx } from '../../database/index.ts'
import { assert } from '../../kernel/index.ts'
import { type AuditEntry, hashAuditEntry } from './audit-entry.ts'

/** An entry as its author writes it; `details` are plain JSON. */
export type NewAuditEntry = Omit<AuditEntry, 'details'> & { readonly details?: Record<string, unknown> | undefined }

/**
 * Appends an entry to the organization's audit log in the transaction of what it tells of: no effect without its entry,
 * no entry without its effect. Writers of one organization take turns from here to their commit, so it belongs at the
 * end of a transaction.
 */
export async function appendAuditEntry(tx: Tx, entry: NewAuditEntry): Promise<void> {
  const { organizationId } = entry
  const head = await tx
    .selectFrom('audit_heads')
    .select(['entries', 'hash'])
    .where('organization_id', '=', organizationId)
    .forUpdate()
    .executeTakeFirst()
  assert(head !== undefined, `organization ${organizationId} has lost the head of its audit log`)
  const details = entry.details === undefined ? null : JSON.stringify(entry.details)
  const placed = { ...entry, details, id: head.entries + 1, previousHash: head.hash }
  const hash = hashAuditEntry(placed)
  await tx
    .with('moved_on', (query) =>
      query.updateTable('audit_heads').set({ entries: placed.id, hash }).where('organization_id', '=', organizationId),
    )
    .insertInto('audit_log')
    .values({
      organization_id: organizationId,
      id: placed.id,
      at: placed.at,
      actor_type: placed.actor.type,
      actor_id: placed.actor.id,
      action: placed.action,
      object_type: placed.objectType,
      object_id: placed.objectId,
      ip_address: placed.from,
      details,
      previous_hash: placed.previousHash,
      hash,
    })
    .execute()
}

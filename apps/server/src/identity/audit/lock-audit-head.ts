import type { Tx } from '../../database/index.ts'
import { assert } from '../../kernel/index.ts'

/** The end of an organization's chain: its last entry's number, and that entry's hash. */
export interface AuditHead {
  readonly entries: number
  readonly hash: Buffer
}

/**
 * Locks the end of an organization's chain until the transaction ends, so that writers append one after another. Throws
 * when the organization has lost its head.
 */
export async function lockAuditHead(tx: Tx, organizationId: number): Promise<AuditHead> {
  const head = await tx
    .selectFrom('audit_heads')
    .select(['entries', 'hash'])
    .where('organization_id', '=', organizationId)
    .forUpdate()
    .executeTakeFirst()
  assert(head !== undefined, `organization ${organizationId} has lost the head of its audit log`)
  return head
}

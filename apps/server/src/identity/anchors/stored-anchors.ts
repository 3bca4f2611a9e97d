import type { Database } from '../../database/index.ts'
import type { AuditAnchor } from './anchor.ts'

/** The newest anchor below an id that the database has. */
export type StoredAnchors = (belowId: number) => Promise<AuditAnchor | undefined>

/** An anchor of the database with its heads. */
export async function storedAnchor(
  db: Database,
  { id, at, previous_digest: previous }: { readonly id: number; readonly at: Date; readonly previous_digest: Buffer },
): Promise<AuditAnchor> {
  const heads = await db
    .selectFrom('audit_anchor_heads')
    .select(['organization_id as organizationId', 'entries', 'hash'])
    .where('anchor_id', '=', id)
    .orderBy('organization_id')
    .execute()
  return { id, at, previous, heads }
}

/** Reads anchors that the places outside lack. Whether they are what was sent is for its caller. */
export function storedAnchors(db: Database): StoredAnchors {
  return async (belowId) => {
    const row = await db
      .selectFrom('audit_anchors')
      .select(['id', 'at', 'previous_digest'])
      .where('id', '<', belowId)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row && (await storedAnchor(db, row))
  }
}

import { sql } from 'kysely'
import type { Database } from '../../database/index.ts'

/** Work on the audit log that is waiting. */
export interface AuditBacklog {
  /** Entries without their place in the chain. */
  readonly unchained: number
  /** How long the oldest anchor has been waiting to be sent, in seconds; 0 without one. */
  readonly anchorSeconds: number
}

export async function auditBacklog(db: Database, now: Date): Promise<AuditBacklog> {
  const { rows } = await sql<{ unchained: number; oldest: Date | null }>`
    select (select count(*) from unchained_audit_entries) as unchained,
      (select min(at) from audit_anchors where published_at is null) as oldest
  `.execute(db)
  const { unchained = 0, oldest = null } = rows[0] ?? {}
  return { unchained, anchorSeconds: oldest === null ? 0 : Math.max(0, (now.getTime() - oldest.getTime()) / 1_000) }
}

import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../database/index.ts'
import type { Actor } from '../shared/actor.ts'
import type { NewAuditEntry } from './append-audit-entry.ts'

/** An actor, and the request by which it acts where the audit entry is written by the statement of its effect. */
export interface AuditedActor extends Actor {
  readonly request?: { readonly action: string; readonly from: string | null }
}

/**
 * Stores an entry in the transaction of its effect, without a place in the chain: {@link chainAuditEntries} gives it one
 * after the commit. For v1 and agents: many of their requests run at once, and must not take turns on the head.
 */
export async function queueAuditEntry(tx: Tx, entry: NewAuditEntry): Promise<void> {
  await queueAuditEntrySql(entry).execute(tx)
}

/**
 * The same as a part of a larger statement. Without an entry it inserts nothing. `effect` inserts the entry once for each
 * row of an effect, none if there was none: `from leased`, with the object's id if only the statement knows it.
 */
export function queueAuditEntrySql(
  entry: NewAuditEntry | undefined,
  effect: { readonly from?: RawBuilder<unknown>; readonly id?: RawBuilder<unknown> } = {},
): RawBuilder<unknown> {
  const details = entry?.details === undefined ? null : JSON.stringify(entry.details)
  return sql`
    insert into unchained_audit_entries (organization_id, at, actor_type, actor_id, action, object_type, object_id,
      ip_address, details)
    select ${entry?.organizationId ?? null}::bigint, ${entry?.at ?? null}::timestamptz,
      ${entry?.actor.type ?? null}::text, ${entry?.actor.id ?? null}::bigint, ${entry?.action ?? null}::text,
      ${entry?.objectType ?? null}::text, ${effect.id ?? sql`${entry?.objectId ?? null}::bigint`},
      ${entry?.from ?? null}::text, ${details}::text
    ${effect.from ?? sql``} where ${entry !== undefined}
  `
}

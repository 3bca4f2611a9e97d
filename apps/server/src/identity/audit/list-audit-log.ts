import { sql } from 'kysely'
import type { AuditActorType } from '../../database/index.ts'
import type { Page, PageRequest } from '../shared/page.ts'
import type { IdentityParts } from '../shared/parts.ts'
import type { AuditEntry } from './audit-entry.ts'
import { chainAuditEntriesOf } from './chain-audit-entries.ts'

/** Which entries to read; omitted filters match everything. */
export interface AuditFilter {
  readonly action?: string | undefined
  /** All but this one. */
  readonly notAction?: string | undefined
  readonly actor?: { readonly type: AuditActorType; readonly id?: number | undefined } | undefined
  readonly object?: { readonly type: string; readonly id?: number | undefined } | undefined
  /** Inclusive. */
  readonly since?: Date | undefined
  /** Exclusive. */
  readonly until?: Date | undefined
}

/** An entry with its place in the chain and its actor's current name. */
export interface AuditLogRecord extends AuditEntry {
  readonly id: number
  /**
   * A member's email address, or the name of a key or service account; `null` for the service. Not part of the chain.
   */
  readonly actorName: string | null
  readonly previousHash: Buffer
  readonly hash: Buffer
}

/** A page of an organization's audit log, newest first (contract 7). Chains waiting entries first, so all are shown. */
export async function listAuditLog(
  parts: Pick<IdentityParts, 'db'>,
  organizationId: number,
  filter: AuditFilter,
  page: PageRequest,
): Promise<Page<AuditLogRecord>> {
  await chainAuditEntriesOf(parts.db, organizationId)
  let matching = parts.db.selectFrom('audit_log').where('audit_log.organization_id', '=', organizationId)
  const { action, notAction, actor, object, since, until } = filter
  if (action !== undefined) matching = matching.where('action', '=', action)
  if (notAction !== undefined) matching = matching.where('action', '<>', notAction)
  if (actor !== undefined) matching = matching.where('actor_type', '=', actor.type)
  if (actor?.id !== undefined) matching = matching.where('actor_id', '=', actor.id)
  if (object !== undefined) matching = matching.where('object_type', '=', object.type)
  if (object?.id !== undefined) matching = matching.where('object_id', '=', object.id)
  if (since !== undefined) matching = matching.where('at', '>=', since)
  if (until !== undefined) matching = matching.where('at', '<', until)
  const isWhole = Object.values(filter).every((value) => value === undefined)
  // Without a filter the head has the number; counting would read the whole log.
  const counted = isWhole
    ? parts.db.selectFrom('audit_heads').select('entries as total').where('organization_id', '=', organizationId)
    : matching.select(({ fn }) => fn.countAll<number>().as('total'))
  const [count, rows] = await Promise.all([
    counted.executeTakeFirst(),
    matching
      .selectAll('audit_log')
      .select(actorName)
      .orderBy('audit_log.id', 'desc')
      .$if(page.limit !== null, (query) => query.limit(page.limit))
      .offset(page.offset)
      .execute(),
  ])
  return {
    total: count?.total ?? 0,
    items: rows.map((row) => ({
      organizationId,
      id: row.id,
      at: row.at,
      actor: { type: row.actor_type, id: row.actor_id },
      actorName: row.actor_name,
      action: row.action,
      objectType: row.object_type,
      objectId: row.object_id,
      from: row.ip_address,
      details: row.details,
      previousHash: row.previous_hash,
      hash: row.hash,
    })),
  }
}

const actorName = sql<string | null>`case audit_log.actor_type
  when 'user' then (select email from users
    where users.organization_id = audit_log.organization_id and users.id = audit_log.actor_id)
  when 'key' then (select name from api_keys
    where api_keys.organization_id = audit_log.organization_id and api_keys.id = audit_log.actor_id)
  when 'service_account' then (select name from service_accounts where
    service_accounts.organization_id = audit_log.organization_id and service_accounts.id = audit_log.actor_id)
end`.as('actor_name')

import { sql } from 'kysely'
import type { Database } from '../../database/index.ts'
import { ALL_ITEMS, type Page, type PageRequest } from '../shared/page.ts'
import type { AnsweredRequest } from './key-requests.ts'

/** A request of a key or a service account, with the name of that. */
export interface ListedRequest extends Omit<AnsweredRequest, 'organizationId'> {
  readonly id: number
  readonly at: Date
  readonly actorName: string | null
}

export interface RequestFilter {
  readonly actor?: Pick<AnsweredRequest, 'actorType' | 'actorId'> | undefined
  readonly outcome?: 'ok' | 'failed' | undefined
  readonly method?: string | undefined
  readonly route?: string | undefined
}

/** The lowest status of a response that refuses. */
const REFUSED = 400

/** The latest requests of an organization's keys and service accounts, newest first. The total counts every match. */
export async function listKeyRequests(
  parts: { readonly db: Database },
  organizationId: number,
  { actor, outcome, method, route }: RequestFilter = {},
  { limit, offset, before }: PageRequest & { readonly before?: number | undefined } = ALL_ITEMS,
): Promise<Page<ListedRequest>> {
  let matching = parts.db.selectFrom('key_requests as sent').where('sent.organization_id', '=', organizationId)
  if (actor !== undefined)
    matching = matching.where('sent.actor_type', '=', actor.actorType).where('sent.actor_id', '=', actor.actorId)
  if (outcome !== undefined) matching = matching.where('sent.status', outcome === 'ok' ? '<' : '>=', REFUSED)
  if (method !== undefined) matching = matching.where('sent.method', '=', method)
  if (route !== undefined) matching = matching.where('sent.route', '=', route)
  const page = matching
    .$if(before !== undefined, (list) => list.where('sent.id', '<', before!))
    .leftJoin('api_keys as key', (join) =>
      join
        .onRef('key.organization_id', '=', 'sent.organization_id')
        .onRef('key.id', '=', 'sent.actor_id')
        .on('sent.actor_type', '=', 'key'),
    )
    .leftJoin('service_accounts as account', (join) =>
      join
        .onRef('account.organization_id', '=', 'sent.organization_id')
        .onRef('account.id', '=', 'sent.actor_id')
        .on('sent.actor_type', '=', 'service_account'),
    )
  const [rows, { total }] = await Promise.all([
    page
      .selectAll('sent')
      .select(sql<string | null>`coalesce(key.name, account.name)`.as('actor_name'))
      .orderBy('sent.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
    matching.select((is) => is.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  const items = rows.map((row) => ({
    id: row.id,
    at: row.at,
    actorType: row.actor_type,
    actorId: row.actor_id,
    actorName: row.actor_name,
    requestId: row.request_id,
    method: row.method,
    route: row.route,
    path: row.path,
    status: row.status,
    code: row.code,
    durationMs: row.duration_ms,
  }))
  return { items, total: Number(total) }
}

import type { Database } from '../../database/index.ts'
import { ALL_ITEMS, type Page, type PageRequest } from '../shared/page.ts'
import type { KeyErrorFacts } from './key-errors.ts'

/** One kind of error of one key, with its latest request. */
export interface KeyError extends KeyErrorFacts {
  readonly keyId: number
  readonly keyName: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly code: string
  readonly count: number
  readonly firstAt: Date
  readonly lastAt: Date
  readonly requestId: string
}

/** What went wrong with the requests of an organization's keys, the latest first. */
export async function listKeyErrors(
  parts: { readonly db: Database },
  organizationId: number,
  { limit, offset }: PageRequest = ALL_ITEMS,
): Promise<Page<KeyError>> {
  const errors = parts.db
    .selectFrom('key_errors')
    .innerJoin('api_keys', (join) =>
      join
        .onRef('api_keys.organization_id', '=', 'key_errors.organization_id')
        .onRef('api_keys.id', '=', 'key_errors.key_id'),
    )
    .where('key_errors.organization_id', '=', organizationId)
  const [rows, { total }] = await Promise.all([
    errors
      .selectAll('key_errors')
      .select('api_keys.name as key_name')
      .orderBy('key_errors.last_at', 'desc')
      .orderBy('key_errors.key_id')
      .orderBy('key_errors.route')
      .orderBy('key_errors.code')
      .limit(limit)
      .offset(offset)
      .execute(),
    errors.select((is) => is.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  const items = rows.map((row) => ({
    keyId: row.key_id,
    keyName: row.key_name,
    method: row.method,
    route: row.route,
    status: row.status,
    code: row.code,
    count: Number(row.count),
    firstAt: row.first_at,
    lastAt: row.last_at,
    requestId: row.request_id,
    ...(JSON.parse(row.facts) as KeyErrorFacts),
  }))
  return { items, total: Number(total) }
}

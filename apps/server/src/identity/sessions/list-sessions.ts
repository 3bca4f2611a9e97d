import type { Selectable } from 'kysely'
import type { Schema } from '../../database/index.ts'
import type { UserCredential } from '../shared/credential.ts'
import { ALL_ITEMS, type Page, type PageRequest, readPage } from '../shared/page.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { openSince } from './session.ts'

export interface OpenSession {
  readonly id: number
  readonly createdAt: Date
  /** The login or the latest refresh. */
  readonly lastUsedAt: Date
  /** `null` in sessions from before addresses were stored, until their next refresh. */
  readonly address: string | null
  readonly userAgent: string | null
  /** Whether the request comes from this session. */
  readonly isCurrent: boolean
}

const COLUMNS = ['id', 'created_at', 'last_used_at', 'address', 'user_agent'] as const

/** The user's own sessions that have not ended, newest first. */
export async function listSessions(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'sessionLimits'>,
  { organizationId, userId, sessionId }: UserCredential,
  page: PageRequest = ALL_ITEMS,
): Promise<Page<OpenSession>> {
  const { createdAfter, usedAfter } = openSince(parts)
  const sessions = parts.db
    .selectFrom('sessions')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('created_at', '>', createdAfter)
    .where('last_used_at', '>', usedAfter)
  return await readPage(
    parts.db,
    sessions,
    page,
    (row: Pick<Selectable<Schema['sessions']>, (typeof COLUMNS)[number]>) => ({
      id: row.id,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
      address: row.address,
      userAgent: row.user_agent,
      isCurrent: row.id === sessionId,
    }),
  )
}

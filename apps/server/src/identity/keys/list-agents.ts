import type { Database } from '../../database/index.ts'
import { AGENT_HEARTBEAT_RETENTION_MS, AGENT_HEARTBEATS_MAX, addMilliseconds, type Clock } from '../../kernel/index.ts'

/** A key that an agent polls with. */
export interface ListedAgent {
  readonly keyId: number
  readonly keyName: string
  readonly polledAt: Date
}

/**
 * The organization's agents, the longest silent first: keys that polled within {@link AGENT_HEARTBEAT_RETENTION_MS} and
 * were neither deleted nor expired.
 */
export async function listAgents(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  organizationId: number,
): Promise<ListedAgent[]> {
  const now = clock.now()
  const rows = await db
    .selectFrom('api_keys')
    .select(['id as keyId', 'name as keyName', 'last_polled_at as polledAt'])
    .where('organization_id', '=', organizationId)
    .where('last_polled_at', '>', addMilliseconds(now, -AGENT_HEARTBEAT_RETENTION_MS))
    .where('revoked_at', 'is', null)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', now)]))
    .orderBy('last_polled_at')
    .limit(AGENT_HEARTBEATS_MAX)
    .execute()
  return rows.flatMap(({ polledAt, ...key }) => (polledAt === null ? [] : [{ ...key, polledAt }]))
}

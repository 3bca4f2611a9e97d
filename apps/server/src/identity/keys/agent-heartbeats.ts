import { sql } from 'kysely'
import type { Database } from '../../database/index.ts'
import { AGENT_HEARTBEAT_RETENTION_MS, AGENT_HEARTBEATS_MAX, addMilliseconds } from '../../kernel/index.ts'

/** A valid key that an agent polls with. */
export interface AgentHeartbeat {
  readonly organizationId: number
  readonly keyId: number
  readonly polledAt: Date
}

/**
 * When agents last polled, at most {@link AGENT_HEARTBEATS_MAX} of the keys that polled within
 * {@link AGENT_HEARTBEAT_RETENTION_MS} and were neither deleted nor expired. Organizations take turns, each with the key
 * that has been silent longest: keys that one of them no longer uses hide no agent of another.
 */
export async function agentHeartbeats(db: Database, now: Date): Promise<AgentHeartbeat[]> {
  const { rows } = await sql<AgentHeartbeat>`
    select "organizationId", "keyId", "polledAt"
    from (
      select key.organization_id as "organizationId", key.id as "keyId", key.last_polled_at as "polledAt",
        row_number() over (partition by key.organization_id order by key.last_polled_at, key.id) as turn
      from api_keys key join organizations o on o.id = key.organization_id and o.deleted_at is null
      where key.last_polled_at > ${addMilliseconds(now, -AGENT_HEARTBEAT_RETENTION_MS)} and key.revoked_at is null
        and (key.expires_at is null or key.expires_at > ${now})
    ) silent
    order by turn, "polledAt" limit ${AGENT_HEARTBEATS_MAX}
  `.execute(db)
  return rows
}

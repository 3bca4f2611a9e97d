import { sql } from 'kysely'
import type { Database } from '../../database/index.ts'
import { AGENT_WORK_SEARCHED_ROWS } from '../../kernel/index.ts'

/** What waits for people and agents, in all organizations; for monitoring. In seconds, 0 where nothing waits. */
export interface OperationsBacklog {
  /** Age of the oldest operation that waits for approval. */
  readonly approvalSeconds: number
  /** How long the oldest transaction has been ready for an agent, and no agent leased it. */
  readonly agentWorkSeconds: number
  /**
   * How long ago the oldest transaction of an agent was submitted that ended with TIMEOUT and may still land. Its wallet
   * waits for it.
   */
  readonly stuckSeconds: number
}

/** The first entry of one partial index, and at most {@link AGENT_WORK_SEARCHED_ROWS} of two others. One statement. */
export async function operationsBacklog(db: Database, now: Date): Promise<OperationsBacklog> {
  const { rows } = await sql<{ approval: Date | null; work: Date | null; stuck: Date | null }>`
    select
      (select created_at from operations where state = 'PENDING_APPROVAL' order by created_at limit 1) as approval,
      (select min(ready.available_at) from (
        select available_at from agent_work where stage = 'ready' limit ${AGENT_WORK_SEARCHED_ROWS}) ready) as work,
      (select min(late.submitted_at) from (
        select organization_id, operation_id, submitted_at from transactions
        where can_still_land and failure_code = 'TIMEOUT' order by submitted_at limit ${AGENT_WORK_SEARCHED_ROWS}) late
      join operations o on o.organization_id = late.organization_id and o.id = late.operation_id
      where o.executor = 'agent') as stuck
  `.execute(db)
  const age = (since: Date | null) => (since === null ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1_000))
  const { approval, work, stuck } = rows[0]!
  return { approvalSeconds: age(approval), agentWorkSeconds: age(work), stuckSeconds: age(stuck) }
}

import { sql } from 'kysely'
import type { Database } from '../../database/index.ts'
import { AGENT_WORK_SEARCHED_ROWS } from '../../kernel/index.ts'

/** What waits for people and agents, in all organizations; for monitoring. In seconds, 0 where nothing waits. */
export interface OperationsBacklog {
  /** Age of the oldest operation that waits for approval. */
  readonly approvalSeconds: number
  /** How long the oldest transaction has been ready for an agent, and no agent leased it. */
  readonly agentWorkSeconds: number
}

/** The first entry of one partial index, and at most {@link AGENT_WORK_SEARCHED_ROWS} of another. One statement. */
export async function operationsBacklog(db: Database, now: Date): Promise<OperationsBacklog> {
  const { rows } = await sql<{ approval: Date | null; work: Date | null }>`
    select
      (select created_at from operations where state = 'PENDING_APPROVAL' order by created_at limit 1) as approval,
      (select min(ready.available_at) from (
        select available_at from agent_work where stage = 'ready' limit ${AGENT_WORK_SEARCHED_ROWS}) ready) as work
  `.execute(db)
  const age = (since: Date | null) => (since === null ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1_000))
  return { approvalSeconds: age(rows[0]!.approval), agentWorkSeconds: age(rows[0]!.work) }
}

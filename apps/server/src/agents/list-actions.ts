import { sql } from 'kysely'
import type { AgentActionStatus, Database } from '../database/index.ts'
import { type AgentAction, type AgentActionRow, agentActionFrom, readAction } from './action.ts'

export interface ActionPage {
  readonly status?: AgentActionStatus | undefined
  readonly limit: number
  readonly offset: number
}

/** An organization's actions, newest first, with their total count. */
export async function listActions(
  { db }: { readonly db: Database },
  organizationId: number,
  { status, limit, offset }: ActionPage,
): Promise<{ actions: AgentAction[]; total: number }> {
  let matching = db.selectFrom('agent_actions').where('organization_id', '=', organizationId)
  if (status !== undefined) matching = matching.where('status', '=', status)
  const [rows, { total }] = await Promise.all([
    matching.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute() as Promise<AgentActionRow[]>,
    matching.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow(),
  ])
  return { actions: rows.map(agentActionFrom), total: Number(total) }
}

/** One action. Error: NOT_FOUND. */
export async function getAction(
  { db }: { readonly db: Database },
  organizationId: number,
  actionId: number,
): Promise<AgentAction> {
  return agentActionFrom(await readAction(db, organizationId, actionId))
}

import type { Selectable } from 'kysely'
import type { AgentActionStatus, Database, Schema, Tx } from '../database/index.ts'
import { Failure } from '../kernel/index.ts'

/** Work other than a transaction for an organization's agent. */
export interface AgentAction {
  readonly actionId: number
  readonly type: 'CREATE_WALLET'
  readonly payload: CreateWalletPayload
  readonly status: AgentActionStatus
  /** The agent's report of success. */
  readonly result: Record<string, unknown> | null
  /** The agent's report of failure. */
  readonly error: string | null
  /** The organization wallet that a success created or found. */
  readonly walletId: number | null
  readonly createdAt: Date
  readonly reportedAt: Date | null
}

export interface CreateWalletPayload {
  readonly blockchain: string
  readonly label: string
}

export type AgentActionRow = Selectable<Schema['agent_actions']>

export function agentActionFrom(row: AgentActionRow): AgentAction {
  const { blockchain, label } = row.payload
  return {
    actionId: row.id,
    type: row.type,
    payload: { blockchain: String(blockchain), label: String(label) },
    status: row.status,
    result: row.result,
    error: row.error,
    walletId: row.wallet_id,
    createdAt: row.created_at,
    reportedAt: row.reported_at,
  }
}

/** Error: NOT_FOUND, also for another organization's action. */
export async function readAction(db: Database | Tx, organizationId: number, actionId: number): Promise<AgentActionRow> {
  const row = await db
    .selectFrom('agent_actions')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', actionId)
    .executeTakeFirst()
  if (!row) throw new Failure('NOT_FOUND', { message: 'There is no action with this id.' })
  return row
}

import type { Selectable } from 'kysely'
import type { AgentActionStatus, Database, Schema, Tx } from '../database/index.ts'
import { Failure } from '../kernel/index.ts'

/** The fields that an action has in every status. */
interface ActionFields {
  readonly actionId: number
  readonly type: 'CREATE_WALLET'
  readonly payload: CreateWalletPayload
  readonly createdAt: Date
}

/** What an agent reports about a wallet that it created. */
export interface ActionResult {
  readonly address: string
  readonly signatureId?: string
}

interface ActionStatuses {
  PENDING: object
  /** `walletId`: the organization wallet that the action created or found. */
  SUCCESS: { readonly result: ActionResult; readonly walletId: number; readonly reportedAt: Date }
  /** `error`: what the agent said; `null` after the organization was erased. */
  FAILED: { readonly error: string | null; readonly reportedAt: Date }
}

/** Work other than a transaction for an organization's agent; its status determines which other fields it has. */
export type AgentAction = {
  [Status in AgentActionStatus]: ActionFields & { readonly status: Status } & ActionStatuses[Status]
}[AgentActionStatus]

export interface CreateWalletPayload {
  readonly blockchain: string
  readonly label: string
}

export type AgentActionRow = Selectable<Schema['agent_actions']>

export function agentActionFrom(row: AgentActionRow): AgentAction {
  const { status } = row
  const { blockchain, label } = row.payload
  const fields = {
    actionId: row.id,
    type: row.type,
    payload: { blockchain: String(blockchain), label: String(label) },
    createdAt: row.created_at,
  }
  switch (status) {
    case 'PENDING':
      return { ...fields, status }
    case 'SUCCESS':
      return { ...fields, status, result: row.result!, walletId: row.wallet_id!, reportedAt: row.reported_at! }
    case 'FAILED':
      return { ...fields, status, error: row.error, reportedAt: row.reported_at! }
  }
}

/** Error: NOT_FOUND, even for another organization's action. */
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

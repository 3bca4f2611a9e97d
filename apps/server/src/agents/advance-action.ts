import { type RawBuilder, sql } from 'kysely'
import type { AgentActionStatus, Tx } from '../database/index.ts'
import { assert } from '../kernel/index.ts'
import type { ActionResult, AgentActionRow, CreateWalletPayload } from './action.ts'
import { AGENT_ACTION, type AgentActionEvent, REQUESTED_STATUS } from './action-states.ts'

/** The only code that assigns the status of an agent action, by the table in `action-states.ts`. */

interface ActionKey {
  readonly organizationId: number
  readonly actionId: number
}

/** Queues an action that an agent can lease at once. */
export async function insertAction(
  tx: Tx,
  { organizationId, payload, at }: { organizationId: number; payload: CreateWalletPayload; at: Date },
): Promise<AgentActionRow> {
  return await tx
    .insertInto('agent_actions')
    .values({
      organization_id: organizationId,
      type: 'CREATE_WALLET',
      payload: JSON.stringify(payload),
      status: REQUESTED_STATUS,
      available_at: at,
      created_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

interface ActionLease {
  readonly leaseToken: string
  readonly at: Date
  readonly leasedUntil: Date
}

/** CTEs that lease the oldest action that nobody has leased now, if there is one; `leased` is its row. */
export function leaseNextActionSql(
  organizationId: number,
  { leaseToken, at, leasedUntil }: ActionLease,
): RawBuilder<unknown> {
  const { from, to } = statusesOf('leased')
  return sql`chosen as (
    select id from agent_actions
    where organization_id = ${organizationId} and status = ${from} and available_at <= ${at}
    order by id limit 1 for update skip locked
  ), leased as (
    update agent_actions a set status = ${to}, lease_token = ${leaseToken}, available_at = ${leasedUntil},
      claimed_at = ${at}, lease_count = lease_count + 1
    from chosen where a.organization_id = ${organizationId} and a.id = chosen.id
    returning a.*
  )`
}

/** What an agent reported. */
export type ActionReport =
  | { readonly event: 'succeeded'; readonly result: ActionResult; readonly walletId: number }
  | { readonly event: 'failed'; readonly error: string }

/** Ends an action that the caller has locked and read. An action that has ended is a defect and rolls back. */
export async function endAction(
  tx: Tx,
  { organizationId, actionId }: ActionKey,
  report: ActionReport,
  at: Date,
): Promise<AgentActionRow> {
  const { from, to } = statusesOf(report.event)
  const reported =
    report.event === 'succeeded'
      ? { result: JSON.stringify(report.result), wallet_id: report.walletId }
      : { error: report.error }
  return await tx
    .updateTable('agent_actions')
    .set({ status: to, ...reported, reported_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', '=', actionId)
    .where('status', '=', from)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Literals: the index of pending actions is partial, by status. */
function statusesOf(event: AgentActionEvent): {
  from: RawBuilder<AgentActionStatus>
  to: RawBuilder<AgentActionStatus>
} {
  const [from, ...others] = AGENT_ACTION.statesBefore(event)
  assert(from !== undefined && others.length === 0, `${event} leads from one status`)
  return { from: sql.lit(from), to: sql.lit(AGENT_ACTION.find(from, event)!.to) }
}

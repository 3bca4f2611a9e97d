import { type RawBuilder, sql } from 'kysely'
import { type AgentStage, type Database, runPrepared, type Tx } from '../../../database/index.ts'
import { assert } from '../../../kernel/index.ts'
import { AGENT_WORK, type AgentWorkEvent, EVENT_OF_SUCCESSOR, firstAgentStage } from '../states/agent-work-states.ts'
import type { Operation } from '../states/operation.ts'

/** The only code that assigns a stage of agent work, by the table in `agent-work-states.ts`. */

/** The stages that an event leads from and to, as literals: the indexes of the queue are partial, by stage. */
function stagesOf(event: AgentWorkEvent): { from: RawBuilder<unknown>; to: RawBuilder<AgentStage> } {
  const from = AGENT_WORK.statesBefore(event)
  const targets = new Set(from.map((stage) => AGENT_WORK.find(stage, event)!.to))
  const [to] = targets
  assert(to !== undefined && targets.size === 1, `${event} leads to one stage`)
  return { from: sql.join(from.map((stage) => sql.lit(stage))), to: sql.lit(to) }
}

/**
 * Puts the transactions of an EXECUTING operation into the queue of its organization's agents. From here on, events of
 * the transactions and the end of the operation move them.
 */
export async function enqueueAgentWork(
  tx: Tx,
  { organizationId, operationId }: Pick<Operation, 'organizationId' | 'operationId'>,
  at: Date,
): Promise<void> {
  await runPrepared(
    tx,
    'enqueue agent work',
    sql`
      insert into agent_work (organization_id, transaction_id, operation_id, position, blockchain, sender, stage,
        available_at, created_at)
      select organization_id, id, operation_id, position, blockchain, sender,
        case position when 0 then ${sql.lit(firstAgentStage(0))} else ${sql.lit(firstAgentStage(1))} end,
        ${at}::timestamptz, ${at}::timestamptz
      from transactions where organization_id = ${organizationId} and operation_id = ${operationId}
    `,
  )
}

/** Removes an operation's work from the queue before its steps are planned again. None of its bytes were issued. */
export async function dequeueAgentWork(
  tx: Tx,
  { organizationId, operationId }: Pick<Operation, 'organizationId' | 'operationId'>,
): Promise<void> {
  await tx
    .deleteFrom('agent_work')
    .where('organization_id', '=', organizationId)
    .where('operation_id', '=', operationId)
    .execute()
}

/**
 * CTEs that move agent work after transactions: their own work, and that of the next transaction of each operation. The
 * statement has a CTE `moved` that returns organization_id, id, operation_id and position of the moved transactions.
 */
export function advanceAgentWorkSql(event: AgentWorkEvent): RawBuilder<unknown> {
  const own = stagesOf(event)
  const successorEvent = EVENT_OF_SUCCESSOR[event]
  const ownWork = sql`own_work as (
    update agent_work w set stage = ${own.to}, replacement_issued_at = null
    from moved
    where w.organization_id = moved.organization_id and w.transaction_id = moved.id and w.stage in (${own.from})
    returning w.organization_id, w.operation_id, w.position
  )`
  if (!successorEvent) return ownWork
  const next = stagesOf(successorEvent)
  return sql`${ownWork}, next_work as (
    update agent_work w set stage = ${next.to}
    from own_work
    where w.organization_id = own_work.organization_id and w.operation_id = own_work.operation_id
      and w.position = own_work.position + 1 and w.stage in (${next.from})
  )`
}

/** A CTE that ends all work of the operations that the CTE `steps`, as `s`, ends. */
export function endAgentWorkSql(organization: RawBuilder<unknown>): RawBuilder<unknown> {
  const { from, to } = stagesOf('operation_ended')
  return sql`ended_work as (
    update agent_work w set stage = ${to}
    from steps s
    where s.ended and w.organization_id = ${organization} and w.operation_id = s.operation_id and w.stage in (${from})
  )`
}

/** One row of the queue. */
export interface WorkKey {
  readonly organizationId: number
  readonly transactionId: number
  /** Moves the row only if it still has this claim. */
  readonly leaseToken?: string
}

/** An event of the queue, with the values that it stores in addition to the stage. */
export type AgentWorkChange =
  | { readonly event: 'released_unissued' | 'released_issued'; readonly availableAt: Date; readonly reason: string }
  | { readonly event: 'paused' | 'stuck' | 'deferred'; readonly availableAt: Date; readonly reason: string }
  | { readonly event: 'withheld'; readonly at: Date; readonly by: 'agent' }
  /** `reason`: which breaker or limit stopped it, for people. */
  | { readonly event: 'withheld'; readonly at: Date; readonly by: 'weir'; readonly reason: string }

/** Moves one row. Changes nothing if the event has no transition from the row's stage. */
export async function advanceAgentWork(db: Database | Tx, key: WorkKey, change: AgentWorkChange): Promise<void> {
  const { from, to } = stagesOf(change.event)
  const fields =
    change.event === 'withheld'
      ? sql`withheld_at = coalesce(withheld_at, ${change.at}), withheld_by = ${change.by},
          pause_reason = ${change.by === 'weir' ? change.reason : null}`
      : sql`available_at = ${change.availableAt}, leased_until = null, pause_reason = ${change.reason}${
          change.event === 'deferred' ? sql`, replacement_issued_at = null` : sql``
        }`
  const claim = key.leaseToken === undefined ? sql`` : sql`and lease_token = ${key.leaseToken}`
  await sql`
    update agent_work set stage = ${to}, ${fields}
    where organization_id = ${key.organizationId} and transaction_id = ${key.transactionId} and stage in (${from})
      ${claim}
  `.execute(db)
}

/**
 * The `set` list of a statement that claims a row. The caller has locked it, in a stage that can be claimed. The lease
 * before it is kept: a claim may end without one of its own, and then its holder is still the latest.
 */
export function claimedFields(leaseToken: string, until: Date): RawBuilder<unknown> {
  const { to } = stagesOf('claimed')
  return sql`stage = ${to}, lease_token = ${leaseToken}, leased_until = ${until}, available_at = ${until},
    last_lease_token = case when claimed_at is null then last_lease_token else lease_token end,
    last_leased_at = coalesce(claimed_at, last_leased_at), claimed_at = null`
}

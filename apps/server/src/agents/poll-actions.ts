import { sql } from 'kysely'
import { type Database, runPrepared } from '../database/index.ts'
import { type AuditedActor, type NewAuditEntry, queueAuditEntrySql } from '../identity/index.ts'
import { addMilliseconds } from '../kernel/index.ts'
import { type AgentAction, type AgentActionRow, agentActionFrom } from './action.ts'
import { leaseNextActionSql } from './advance-action.ts'
import { newLeaseToken } from './lease-token.ts'
import { type CountAvailable, createLongPollWaiters } from './long-poll.ts'
import type { AgentParts } from './parts.ts'
import type { PollRequest } from './poll-transactions.ts'
import { walletChallenge } from './wallet-challenge.ts'

/** An action that one agent holds until `leasedUntil`. */
export interface LeasedAction {
  readonly action: AgentAction
  readonly leaseToken: string
  /** What the new key signs. */
  readonly challenge: string
  readonly leasedUntil: Date
}

export type PollActions = (polling: PollRequest) => Promise<LeasedAction | undefined>

/** The polls of one process: leases the action that has waited longest, or waits for one (spec 4.5). */
export function createActionPolls(parts: AgentParts): PollActions {
  const room = createLongPollWaiters((waiting) => countClaimableActions(parts, waiting))
  return async (polling) => {
    for (;;) {
      const leased = await leaseAction(parts, polling)
      if (leased || polling.signal.aborted) return leased
      await room.wait(polling.organizationId, polling.signal)
      if (polling.signal.aborted) return undefined
      await polling.authenticateAgain?.()
    }
  }
}

/** An entry of the audit log for a poll that leased something; the statement adds the action's id. */
function auditEntryOf(
  { organizationId, agent }: { readonly organizationId: number; readonly agent: AuditedActor | undefined },
  at: Date,
): NewAuditEntry | undefined {
  if (agent?.request === undefined) return undefined
  const { type, id, request } = agent
  return { organizationId, actor: { type, id }, ...request, objectType: 'agent_action', objectId: null, at }
}

/** One statement; nothing is written when there is no action. A lapsed lease makes its action available again. */
async function leaseAction(
  parts: AgentParts,
  { organizationId, leaseDurationMs, agent }: PollRequest,
): Promise<LeasedAction | undefined> {
  const now = parts.clock.now()
  const leaseToken = newLeaseToken(parts.random)
  const leasedUntil = addMilliseconds(now, leaseDurationMs)
  const [row] = await runPrepared<AgentActionRow>(
    parts.db,
    'lease action',
    sql`
      with ${leaseNextActionSql(organizationId, { leaseToken, at: now, leasedUntil })}, audited as (
        ${queueAuditEntrySql(auditEntryOf({ organizationId, agent }, now), { id: sql`leased.id`, from: sql`from leased` })}
      )
      select * from leased
    `,
  )
  return row && { action: agentActionFrom(row), leaseToken, challenge: walletChallenge(row), leasedUntil }
}

async function countClaimableActions(
  { db, clock }: { readonly db: Database; readonly clock: AgentParts['clock'] },
  waiting: Parameters<CountAvailable>[0],
): Promise<Map<number, number>> {
  const rows = await runPrepared<{ organization_id: number; waiting: number }>(
    db,
    'count actions',
    sql`
      select a.organization_id, (select count(*) from (select from agent_actions
        where organization_id = a.organization_id and status = 'PENDING' and available_at <= ${clock.now()}
        limit a.waiters) found) as waiting
      from unnest(${waiting.map(({ organizationId }) => organizationId)}::bigint[],
        ${waiting.map(({ waiters }) => waiters)}::int[]) as a(organization_id, waiters)
    `,
  )
  return new Map(rows.map((row) => [row.organization_id, Number(row.waiting)]))
}

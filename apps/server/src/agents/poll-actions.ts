import { sql } from 'kysely'
import { type Database, runNamed } from '../database/index.ts'
import { later } from '../kernel/index.ts'
import { type ActionRow, type AgentAction, actionFrom } from './action.ts'
import { newLeaseToken } from './lease-token.ts'
import type { AgentParts } from './parts.ts'
import type { Polling } from './poll-transactions.ts'
import { createWaitingRoom, type Look } from './waiting-room.ts'

/** An action that one agent has for itself until `leasedUntil`. */
export interface LeasedAction {
  readonly action: AgentAction
  readonly leaseToken: string
  readonly leasedUntil: Date
}

export type PollActions = (polling: Polling) => Promise<LeasedAction | undefined>

/** Polls of one process: leases the action that has waited longest, or waits until there is one (specification 4.5). */
export function createActionPolls(parts: AgentParts): PollActions {
  const room = createWaitingRoom((waiting) => countWaiting(parts, waiting))
  return async (polling) => {
    for (;;) {
      const leased = await leaseAction(parts, polling)
      if (leased || polling.until.aborted) return leased
      await room.wait(polling.organizationId, polling.until)
      if (polling.until.aborted) return undefined
    }
  }
}

/** One statement; nothing is written when nothing waits. A lease that lapsed makes its action available again. */
async function leaseAction(
  parts: AgentParts,
  { organizationId, leaseDurationMs }: Polling,
): Promise<LeasedAction | undefined> {
  const now = parts.clock.now()
  const leaseToken = newLeaseToken(parts.random)
  const leasedUntil = later(now, leaseDurationMs)
  const [row] = await runNamed<ActionRow>(
    parts.db,
    'lease action',
    sql`
      with chosen as (
        select id from agent_actions
        where organization_id = ${organizationId} and status = 'PENDING' and available_at <= ${now}
        order by available_at, id limit 1 for update skip locked
      )
      update agent_actions a set lease_token = ${leaseToken}, available_at = ${leasedUntil}, claimed_at = ${now},
        lease_count = lease_count + 1
      from chosen where a.organization_id = ${organizationId} and a.id = chosen.id
      returning a.*
    `,
  )
  return row && { action: actionFrom(row), leaseToken, leasedUntil }
}

async function countWaiting(
  { db, clock }: { readonly db: Database; readonly clock: AgentParts['clock'] },
  waiting: Parameters<Look>[0],
): Promise<Map<number, number>> {
  const rows = await runNamed<{ organization_id: number; waiting: number }>(
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

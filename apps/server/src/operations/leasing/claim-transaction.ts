import { type RawBuilder, sql } from 'kysely'
import { type AgentStage, type Database, runPrepared } from '../../database/index.ts'
import { AGENT_CLAIM_MS, AGENT_LAPSED_COMPARED_MAX, addMilliseconds } from '../../kernel/index.ts'
import { claimedFields } from '../lifecycle/transitions/advance-agent-work.ts'
import type { TransactionClaim } from './lease.ts'

interface ClaimRequest {
  readonly organizationId: number
  /** Available chains; work on other chains is skipped. */
  readonly blockchains: readonly string[]
  readonly leaseToken: string
  readonly now: Date
}

interface ClaimRow {
  transaction_id: number
  operation_id: number
  blockchain: string
  was_issued: boolean
}

/**
 * Claims the next leasable transaction of the oldest operation, which keeps others from building its bytes. One
 * statement; it writes nothing when there is no work.
 *
 * The cost does not depend on how much work waits, is leased, or is paused: the oldest transaction of each chain is the
 * first row of one index (`agent_work_ready`), or of another for lapsed leases and pauses (`agent_work_taken`), where the
 * operations of the leases that lapsed first are compared. Pauses take turns by time: otherwise a few old transactions that
 * cannot be issued would use up every poll (rule 12). The oldest is claimed, skipping rows that others are claiming.
 * Measured by `bench/poll.ts`.
 */
export async function claimTransaction(db: Database, request: ClaimRequest): Promise<TransactionClaim | undefined> {
  const { organizationId, blockchains, leaseToken, now } = request
  const until = addMilliseconds(now, AGENT_CLAIM_MS)
  const takenOn = (blockchain: RawBuilder<unknown>, stage: AgentStage) => sql`
    from agent_work w where w.organization_id = ${organizationId} and w.blockchain = ${blockchain}
      and w.stage = ${sql.lit(stage)} and w.available_at <= ${now}
    order by w.available_at`
  const chosen = (kind: string) => sql`(select blockchain from oldest where kind = ${sql.lit(kind)})`
  const [claimed] = await runPrepared<ClaimRow>(
    db,
    'claim next',
    sql`
      with heads as materialized (
        select c.blockchain, (
          select operation_id from agent_work w
          where w.organization_id = ${organizationId} and w.blockchain = c.blockchain and w.stage = 'ready'
          order by w.operation_id, w.position limit 1
        ) as ready, (
          select min(operation_id) from (
            select operation_id ${takenOn(sql`c.blockchain`, 'leased')} limit ${AGENT_LAPSED_COMPARED_MAX}
          ) compared
        ) as lapsed, (
          select operation_id ${takenOn(sql`c.blockchain`, 'paused')} limit 1
        ) as paused
        from unnest(${blockchains}::text[]) as c(blockchain)
      ), oldest as materialized (
        select blockchain,
          case least(ready, lapsed, paused) when lapsed then 'lapsed' when paused then 'paused' else 'ready' end as kind
        from heads where least(ready, lapsed, paused) is not null
        order by least(ready, lapsed, paused) limit 1
      ), compared as materialized (
        select transaction_id ${takenOn(chosen('lapsed'), 'leased')} limit ${AGENT_LAPSED_COMPARED_MAX}
      ), lapsed as (
        select transaction_id from agent_work w
        where w.organization_id = ${organizationId} and w.transaction_id in (select transaction_id from compared)
          and w.stage = 'leased' and w.available_at <= ${now}
        order by w.operation_id, w.position limit 1 for update skip locked
      ), paused as (
        select transaction_id ${takenOn(chosen('paused'), 'paused')} limit 1 for update skip locked
      ), ready as (
        select transaction_id from agent_work w
        where w.organization_id = ${organizationId} and w.blockchain = ${chosen('ready')} and w.stage = 'ready'
        order by w.operation_id, w.position limit 1 for update skip locked
      ), chosen as (
        select transaction_id from lapsed union all select transaction_id from paused
        union all select transaction_id from ready
      )
      update agent_work w set ${claimedFields(leaseToken, until)}
      from chosen
      where w.organization_id = ${organizationId} and w.transaction_id = chosen.transaction_id
      returning w.transaction_id, w.operation_id, w.blockchain, w.issued_at is not null as was_issued
    `,
  )
  return (
    claimed && {
      organizationId,
      transactionId: claimed.transaction_id,
      operationId: claimed.operation_id,
      blockchain: claimed.blockchain,
      leaseToken,
      wasIssued: claimed.was_issued,
    }
  )
}

/** How many waiting polls could be served now, by organization. One statement for all organizations. */
export async function countClaimable(
  db: Database,
  waiting: readonly { readonly organizationId: number; readonly waiters: number }[],
  blockchains: readonly string[],
  now: Date,
): Promise<Map<number, number>> {
  const rows = await runPrepared<{ organization_id: number; claimable: number }>(
    db,
    'count claimable',
    sql`
      select a.organization_id, (
        select count(*) from (
          select from unnest(${blockchains}::text[]) as c(blockchain) cross join lateral (
            (select from agent_work w where w.organization_id = a.organization_id and w.blockchain = c.blockchain
              and w.stage = 'ready' limit a.waiters)
            union all
            (select from agent_work w where w.organization_id = a.organization_id and w.blockchain = c.blockchain
              and w.stage in ('leased', 'paused') and w.available_at <= ${now} limit a.waiters)
          ) found limit a.waiters
        ) counted
      ) as claimable
      from unnest(${waiting.map(({ organizationId }) => organizationId)}::bigint[],
        ${waiting.map(({ waiters }) => waiters)}::int[]) as a(organization_id, waiters)
    `,
  )
  return new Map(rows.map((row) => [row.organization_id, Number(row.claimable)]))
}

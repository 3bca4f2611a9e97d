import { sql } from 'kysely'
import { type Database, runPrepared } from '../../database/index.ts'
import { AGENT_CLAIM_MS, addMilliseconds } from '../../kernel/index.ts'
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
 * first row of one index (`agent_work_ready`), or of another for lapsed leases (`agent_work_taken`). The older of the
 * two is claimed, skipping rows that others are claiming. Measured by `bench/poll.ts`.
 */
export async function claimTransaction(db: Database, request: ClaimRequest): Promise<TransactionClaim | undefined> {
  const { organizationId, blockchains, leaseToken, now } = request
  const until = addMilliseconds(now, AGENT_CLAIM_MS)
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
          select operation_id from agent_work w
          where w.organization_id = ${organizationId} and w.blockchain = c.blockchain
            and w.stage in ('leased', 'paused') and w.available_at <= ${now}
          order by w.available_at limit 1
        ) as lapsed
        from unnest(${blockchains}::text[]) as c(blockchain)
      ), oldest as materialized (
        select blockchain, ready is null or lapsed <= ready as is_lapsed from heads
        where ready is not null or lapsed is not null
        order by least(ready, lapsed) limit 1
      ), lapsed as (
        select transaction_id from agent_work w
        where w.organization_id = ${organizationId}
          and w.blockchain = (select blockchain from oldest where is_lapsed)
          and w.stage in ('leased', 'paused') and w.available_at <= ${now}
        order by w.available_at limit 1 for update skip locked
      ), ready as (
        select transaction_id from agent_work w
        where w.organization_id = ${organizationId}
          and w.blockchain = (select blockchain from oldest where is_lapsed is not true)
          and w.stage = 'ready'
        order by w.operation_id, w.position limit 1 for update skip locked
      ), chosen as (
        select transaction_id from lapsed union all select transaction_id from ready
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

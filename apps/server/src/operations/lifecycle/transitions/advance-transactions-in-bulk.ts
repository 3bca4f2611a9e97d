import { type RawBuilder, sql } from 'kysely'
import type { Database, Tx } from '../../../database/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import { advanceAgentWorkSql } from './advance-agent-work.ts'

/**
 * Events that move many transactions at once, each in one statement that also selects them. Together with
 * `advance-transactions.ts` this is the only code that assigns states; a test compares both with the table.
 */

/**
 * `rolled_back`: blocks above `number` left the chain (a reorganization), and the transactions in them are no longer
 * included (rule 5). Final transactions do not change.
 */
export async function rollbackInclusions(
  tx: Database | Tx,
  blockchain: string,
  number: number,
  at: Date,
): Promise<void> {
  await sql`
    with rolled_back as (
      update transactions set block_number = null, block_hash = null, included_at = null,
        first_seen_at = coalesce(first_seen_at, last_seen_at, ${at}), last_seen_at = ${at}
      where blockchain = ${blockchain} and finalized_at is null and block_number > ${number}
        -- True of each of them, and what the indexes of the few that are in flight are for.
        and (state = 'pending' or can_still_land)
      returning organization_id, id, operation_id, position, state
    ), moved as (
      select r.organization_id, r.id, r.operation_id, r.position from rolled_back r
      join operations o on o.organization_id = r.organization_id and o.id = r.operation_id
      where r.state = 'pending' and o.executor = 'agent' and o.state in ('EXECUTING', 'CONFIRMING')
    ), ${advanceAgentWorkSql('rolled_back')}
    select from moved
  `.execute(tx)
}

/**
 * `bytes_died`, for unsubmitted transactions: marks the bytes of those that `where` selects (as `t`) as dead. Returns
 * how many there were.
 */
export async function killUnsubmittedBytes(db: Database | Tx, where: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql`
    update transactions t set can_still_land = false
    where t.can_still_land and t.state <> 'pending' and ${where}
    returning t.id
  `.execute(db)
  return rows.length
}

/**
 * `operation_ended`: a CTE that fails the unsubmitted transactions of the operations that the CTE `steps`, as `s`, ends,
 * with `explanation` as their error. Issued bytes can still land.
 */
export function failUnsubmittedSql(organization: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`unsubmitted as (
    -- A completed operation can have one too: its token approval, if the allowance was already sufficient.
    update transactions t set state = 'failed', error = coalesce(s.explanation, 'The operation completed without it.')
    from steps s
    where s.ended
      and t.organization_id = ${organization} and t.operation_id = s.operation_id and t.state = 'unsigned'
  )`
}

/**
 * `chain_reset`: a wallet's chain is gone. None of its transactions can land, its nonces are free again, and submitted
 * transactions fail. The caller has ended the wallet's operations.
 */
export async function resetTransactions(
  tx: Tx,
  { organizationId, walletId }: Pick<Wallet, 'organizationId' | 'walletId'>,
  error: string,
): Promise<void> {
  await sql`
    update transactions t set can_still_land = false, nonce = null,
      state = case t.state when 'pending' then 'failed' else t.state end,
      failure_code = case t.state when 'pending' then 'DROPPED' else t.failure_code end,
      error = case t.state when 'pending' then ${error} else t.error end
    from operations o
    where o.organization_id = ${organizationId} and o.wallet_id = ${walletId}
      and t.organization_id = o.organization_id and t.operation_id = o.id
  `.execute(tx)
}

/**
 * The chain has lost final blocks: confirmed transactions of these senders give up the nonces that the chain no longer
 * counts.
 */
export async function freeLostNonces(
  db: Database | Tx,
  blockchain: string,
  senders: readonly string[],
  counts: readonly number[],
): Promise<void> {
  await sql`
    update transactions t set nonce = null
    from unnest(${senders}::text[], ${counts}::bigint[]) as counted(sender, count)
    where t.blockchain = ${blockchain} and t.sender = counted.sender and t.state = 'confirmed'
      and t.nonce >= counted.count
  `.execute(db)
}

import { type RawBuilder, sql } from 'kysely'
import type { Database, Tx } from '../../database/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import { workFollows } from './move-agent-work.ts'

/**
 * Events that move many transactions at once, each in one statement that also selects them: the other half of
 * `move-transactions.ts`. Their test compares what they do with the table of states.
 */

/**
 * `rolled_back`: blocks above this number left the chain (a reorganization), and transactions included in them are in no
 * block again (rule 5). What is final stays.
 */
export async function rollBackInclusions(tx: Tx, blockchain: string, number: number, at: Date): Promise<void> {
  await sql`
    with rolled_back as (
      update transactions set block_number = null, block_hash = null, included_at = null, last_seen_at = ${at}
      where blockchain = ${blockchain} and finalized_at is null and block_number > ${number}
      returning organization_id, id, operation_id, position, state
    ), moved as (
      select r.organization_id, r.id, r.operation_id, r.position from rolled_back r
      join operations o on o.organization_id = r.organization_id and o.id = r.operation_id
      where r.state = 'pending' and o.executor = 'agent' and o.state in ('EXECUTING', 'CONFIRMING')
    ), ${workFollows('rolled_back')}
    select from moved
  `.execute(tx)
}

/**
 * `bytes_died`, of transactions that are not submitted: of those that `where` selects (as `t`), none can land any
 * longer. Returns how many there were.
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
 * `operation_ended`: a CTE that fails whatever was never submitted of the operations that the CTE `steps` ends, with
 * `explanation` as their error. Bytes that were issued may still land.
 */
export function unsubmittedFail(organizationId: number): RawBuilder<unknown> {
  return sql`unsubmitted as (
    -- Also of an operation that completed: its approval, where the allowance was there already.
    update transactions t set state = 'failed', error = coalesce(s.explanation, 'The operation completed without it.')
    from steps s
    where s.ended
      and t.organization_id = ${organizationId} and t.operation_id = s.operation_id and t.state = 'unsigned'
  )`
}

/**
 * `chain_reset`: the chain of a wallet is gone. Nothing of the wallet can land, its nonces are free, and what was
 * submitted fails. The caller has ended the wallet's operations.
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
 * Final blocks are gone, and with them what used these nonces: confirmed transactions of these senders free each nonce
 * that the chain does not count.
 */
export async function freeLostNonces(
  db: Database,
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

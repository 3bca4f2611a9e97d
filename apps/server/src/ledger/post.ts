import { sql } from 'kysely'
import { batchedEffect, runPrepared, type Tx } from '../database/index.ts'
import { assert } from '../kernel/index.ts'
import type { LedgerEntry } from './entry.ts'

/**
 * Posts entries and moves the balances with them, in one statement (rule 8).
 *
 * The caller must have locked the wallet row and opened its accounts. A source that was posted before violates a
 * unique key, and a balance that would fall below zero violates a check; either one rolls back the whole transaction.
 */
export async function post(tx: Tx, entries: readonly LedgerEntry[]): Promise<void> {
  const nonEmpty = entries.filter((entry) => entry.postings.length > 0)
  if (nonEmpty.length === 0) return
  const heads = nonEmpty.map((entry, index) => ({
    index,
    organization_id: entry.organizationId,
    kind: entry.kind,
    source: entry.source,
    operation_id: entry.operationId ?? null,
    block_number: entry.blockNumber ?? null,
    created_at: entry.at.toISOString(),
  }))
  const lines = nonEmpty.flatMap((entry) =>
    entry.postings.map((line) => ({
      organization_id: entry.organizationId,
      source: entry.source,
      wallet_id: line.walletId,
      token_address: line.tokenAddress,
      account: line.account,
      amount: line.amount.toString(),
    })),
  )
  const statement = sql<{ moved: number }>`
    with lines as (
      select * from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as l(
        organization_id bigint, source text, wallet_id bigint, token_address text, account text, amount numeric(78, 0))
    ), entries as (
      insert into ledger_entries (organization_id, kind, source, operation_id, block_number, created_at)
      select organization_id, kind, source, operation_id, block_number, created_at
      from jsonb_to_recordset(${JSON.stringify(heads)}::jsonb) as h(
        index int, organization_id bigint, kind text, source text, operation_id bigint, block_number bigint,
        created_at timestamptz)
      order by index
      returning organization_id, id, source
    ), written as (
      insert into ledger_postings (organization_id, entry_id, wallet_id, token_address, account, amount)
      select l.organization_id, e.id, l.wallet_id, l.token_address, l.account, l.amount
      from lines l join entries e on e.organization_id = l.organization_id and e.source = l.source
    ), sums as (
      select organization_id, wallet_id, token_address,
        coalesce(sum(amount) filter (where account = 'available'), 0) as available,
        coalesce(sum(amount) filter (where account = 'reserved'), 0) as reserved,
        coalesce(sum(amount) filter (where account = 'deployed'), 0) as deployed,
        coalesce(sum(amount) filter (where account = 'exiting'), 0) as exiting,
        coalesce(sum(amount) filter (where account = 'yield'), 0) as yield,
        coalesce(sum(amount) filter (where account = 'external'), 0) as external
      from lines group by organization_id, wallet_id, token_address
    ), moved as (
      update ledger_balances b set
        available = b.available + s.available, reserved = b.reserved + s.reserved, deployed = b.deployed + s.deployed,
        exiting = b.exiting + s.exiting, yield = b.yield + s.yield, external = b.external + s.external
      from sums s
      where b.organization_id = s.organization_id and b.wallet_id = s.wallet_id and b.token_address = s.token_address
      returning 1
    )
    select (select count(*) from moved) - (select count(*) from sums) as moved
  `
  const [result] = await runPrepared(tx, 'post', statement)
  assert(result?.moved === 0, 'every posted account was opened before')
}

/** {@link post}, for one of several works. */
export const POST = batchedEffect<readonly LedgerEntry[]>((tx, entries) => post(tx, entries.flat()))

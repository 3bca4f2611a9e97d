import { sql } from 'kysely'
import { insertEventsSql, type Tx } from '../database/index.ts'

/** A difference between ledger and chain that `available` could not cover. */
export interface LedgerBreak {
  readonly organizationId: number
  readonly walletId: number
  readonly tokenAddress: string
  readonly reason: 'balance'
  /** Base units that the ledger shows and the chain does not; zero closes the break. */
  readonly amount: bigint
  readonly blockNumber: number
  readonly at: Date
}

/** The type of the object in break events. */
export const BREAK_OBJECT = 'ledger_break'

/** A break that was opened or closed. */
export interface BreakChange extends Pick<LedgerBreak, 'organizationId' | 'walletId' | 'tokenAddress'> {
  readonly breakId: number
  readonly change: 'opened' | 'closed'
}

/**
 * Opens, updates or (at amount zero) closes the breaks of these wallets, tokens and reasons, in at most two statements,
 * and emits `break.opened` and `break.closed` with them. A break that grows above the amount that a person accepted is
 * open again. The caller holds the locks of the wallets. Returns the breaks that it closed and opened.
 */
export async function recordBreaks(tx: Tx, breaks: readonly LedgerBreak[]): Promise<BreakChange[]> {
  const gone = breaks.filter(({ amount }) => amount === 0n)
  const closed = gone.length > 0 ? await closeBreaks(tx, gone) : []
  const open = breaks.filter(({ amount }) => amount !== 0n)
  return open.length > 0 ? [...closed, ...(await openBreaks(tx, open))] : closed
}

async function closeBreaks(tx: Tx, breaks: readonly LedgerBreak[]): Promise<BreakChange[]> {
  const { rows } = await sql<BreakChange>`
    with changed as (
      update ledger_breaks b set closed_at = m.at from ${measuredSql(breaks)}
      where b.organization_id = m.organization_id and b.wallet_id = m.wallet_id
        and b.token_address = m.token_address and b.reason = m.reason and b.closed_at is null
      returning b.*
    ), emitted as (
      ${insertEventsSql(eventsSql('break.closed', breaks[0]!.at))}
    )
    ${changesSql('closed')}
  `.execute(tx)
  return rows
}

async function openBreaks(tx: Tx, breaks: readonly LedgerBreak[]): Promise<BreakChange[]> {
  const isAbove = sql`excluded.amount > b.accepted_amount`
  const { rows } = await sql<BreakChange>`
    with known as (
      select b.organization_id, b.id from ledger_breaks b
      join ${measuredSql(breaks)} on b.organization_id = m.organization_id and b.wallet_id = m.wallet_id
        and b.token_address = m.token_address and b.reason = m.reason
      where b.closed_at is null and (b.accepted_amount is null or b.accepted_amount >= m.amount)
    ), written as (
      insert into ledger_breaks as b
        (organization_id, wallet_id, token_address, amount, reason, block_number, opened_at)
      select organization_id, wallet_id, token_address, amount, reason, block_number, at from ${measuredSql(breaks)}
      on conflict (organization_id, wallet_id, token_address, reason) where closed_at is null do update
      set amount = excluded.amount, block_number = excluded.block_number,
        accepted_at = case when ${isAbove} then null else b.accepted_at end,
        accepted_by = case when ${isAbove} then null else b.accepted_by end,
        accepted_reason = case when ${isAbove} then null else b.accepted_reason end,
        accepted_amount = case when ${isAbove} then null else b.accepted_amount end
      returning *
    ), changed as (
      select * from written where (organization_id, id) not in (select * from known)
    ), emitted as (
      ${insertEventsSql(eventsSql('break.opened', breaks[0]!.at))}
    )
    ${changesSql('opened')}
  `.execute(tx)
  return rows
}

/** The measured differences as a table `m`. */
function measuredSql(breaks: readonly LedgerBreak[]) {
  return sql`unnest(${breaks.map((one) => one.organizationId)}::bigint[], ${breaks.map((one) => one.walletId)}::bigint[],
    ${breaks.map((one) => one.tokenAddress)}::text[], ${breaks.map((one) => one.reason)}::text[],
    ${breaks.map((one) => one.amount)}::numeric[], ${breaks.map((one) => one.blockNumber)}::bigint[],
    ${breaks.map((one) => one.at)}::timestamptz[])
    as m(organization_id, wallet_id, token_address, reason, amount, block_number, at)`
}

/** The rows of `changed`, as a {@link BreakChange} each. */
function changesSql(change: BreakChange['change']) {
  return sql`
    select organization_id as "organizationId", id as "breakId", wallet_id as "walletId",
      token_address as "tokenAddress", ${change}::text as change
    from changed`
}

/** One event for each row of `changed`: for the statement that changes breaks. Amounts in base units, as text. */
export function eventsSql(event: `break.${'opened' | 'closed' | 'accepted'}`, at: Date) {
  return sql`
    select c.organization_id, ${event}::text, ${BREAK_OBJECT}::text, c.id, jsonb_build_object('breakId', c.id,
      'walletId', c.wallet_id, 'tokenAddress', c.token_address, 'amountBaseUnits', c.amount::text), ${at}::timestamptz
    from changed c`
}

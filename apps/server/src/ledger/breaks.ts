import { sql } from 'kysely'
import type { Tx } from '../database/index.ts'

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

/**
 * Opens, updates or (at amount zero) closes the breaks of these wallets, tokens and reasons, in at most two statements.
 */
export async function recordBreaks(tx: Tx, breaks: readonly LedgerBreak[]): Promise<void> {
  const closed = breaks.filter(({ amount }) => amount === 0n)
  if (closed.length > 0) {
    await sql`
      update ledger_breaks b set closed_at = c.closed_at
      from unnest(${closed.map((one) => one.organizationId)}::bigint[], ${closed.map((one) => one.walletId)}::bigint[],
        ${closed.map((one) => one.tokenAddress)}::text[], ${closed.map((one) => one.reason)}::text[],
        ${closed.map((one) => one.at)}::timestamptz[])
        as c(organization_id, wallet_id, token_address, reason, closed_at)
      where b.organization_id = c.organization_id and b.wallet_id = c.wallet_id
        and b.token_address = c.token_address and b.reason = c.reason and b.closed_at is null
    `.execute(tx)
  }
  const open = breaks.filter(({ amount }) => amount !== 0n)
  if (open.length === 0) return
  await tx
    .insertInto('ledger_breaks')
    .values(
      open.map((one) => ({
        organization_id: one.organizationId,
        wallet_id: one.walletId,
        token_address: one.tokenAddress,
        amount: one.amount,
        reason: one.reason,
        block_number: one.blockNumber,
        opened_at: one.at,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'wallet_id', 'token_address', 'reason'])
        .where('closed_at', 'is', null)
        .doUpdateSet({ amount: sql`excluded.amount`, block_number: sql`excluded.block_number` }),
    )
    .execute()
}

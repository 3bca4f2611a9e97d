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

/** Opens, updates or (at amount zero) closes the break of this wallet, token and reason. */
export async function recordBreak(tx: Tx, ledgerBreak: LedgerBreak): Promise<void> {
  if (ledgerBreak.amount === 0n) {
    await tx
      .updateTable('ledger_breaks')
      .set({ closed_at: ledgerBreak.at })
      .where('organization_id', '=', ledgerBreak.organizationId)
      .where('wallet_id', '=', ledgerBreak.walletId)
      .where('token_address', '=', ledgerBreak.tokenAddress)
      .where('reason', '=', ledgerBreak.reason)
      .where('closed_at', 'is', null)
      .execute()
    return
  }
  await tx
    .insertInto('ledger_breaks')
    .values({
      organization_id: ledgerBreak.organizationId,
      wallet_id: ledgerBreak.walletId,
      token_address: ledgerBreak.tokenAddress,
      amount: ledgerBreak.amount,
      reason: ledgerBreak.reason,
      block_number: ledgerBreak.blockNumber,
      opened_at: ledgerBreak.at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'wallet_id', 'token_address', 'reason'])
        .where('closed_at', 'is', null)
        .doUpdateSet({ amount: sql`excluded.amount`, block_number: sql`excluded.block_number` }),
    )
    .execute()
}

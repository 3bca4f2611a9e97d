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
export async function recordBreak(tx: Tx, found: LedgerBreak): Promise<void> {
  if (found.amount === 0n) {
    await tx
      .updateTable('ledger_breaks')
      .set({ closed_at: found.at })
      .where('organization_id', '=', found.organizationId)
      .where('wallet_id', '=', found.walletId)
      .where('token_address', '=', found.tokenAddress)
      .where('reason', '=', found.reason)
      .where('closed_at', 'is', null)
      .execute()
    return
  }
  await tx
    .insertInto('ledger_breaks')
    .values({
      organization_id: found.organizationId,
      wallet_id: found.walletId,
      token_address: found.tokenAddress,
      amount: found.amount,
      reason: found.reason,
      block_number: found.blockNumber,
      opened_at: found.at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'wallet_id', 'token_address', 'reason'])
        .where('closed_at', 'is', null)
        .doUpdateSet({ amount: sql`excluded.amount`, block_number: sql`excluded.block_number` }),
    )
    .execute()
}

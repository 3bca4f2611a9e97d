import { failTransaction } from '../lifecycle/fail-transaction.ts'
import { readOperation } from '../lifecycle/read-operations.ts'
import type { Candidate } from './classify-transactions.ts'
import type { SettlementContext } from './settlement-context.ts'

/**
 * Called before one of our transactions is settled. Fails the sender's pending transactions that were found dead
 * before but left to the request that was broadcasting them. Otherwise they would occupy the nonce that landed, or
 * stay pending in a completed operation.
 */
export async function failDisplacedTransactions(
  { tx, snapshot, at }: SettlementContext,
  { transaction: landed }: Candidate,
): Promise<void> {
  if (landed.nonce === null) return
  const { organizationId } = snapshot.wallet
  const displaced = await tx
    .selectFrom('transactions')
    .select(['id', 'operation_id'])
    .where('organization_id', '=', organizationId)
    .where('blockchain', '=', landed.blockchain)
    .where('sender', '=', landed.sender)
    .where('nonce', '<=', landed.nonce)
    .where('state', '=', 'pending')
    .where('can_still_land', '=', false)
    .where('id', '<>', landed.transactionId)
    .orderBy('id')
    .execute()
  for (const { id, operation_id } of displaced) {
    const operation = await readOperation(tx, { organizationId, walletProfileId: null }, operation_id)
    const transaction = operation.transactions.find(({ transactionId }) => transactionId === id)!
    const failure = { code: 'NONCE_TOO_LOW', error: 'The nonce was already used by another transaction.' }
    await failTransaction(tx, { operation, transaction, change: { event: 'failed_for_good', failure }, at })
  }
}

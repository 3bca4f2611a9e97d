import { failTransaction } from '../lifecycle/fail-transaction.ts'
import { readOperation } from '../lifecycle/read-operations.ts'
import type { Candidate } from './classify-transactions.ts'
import type { SettlementContext } from './settle-wallet.ts'

/**
 * A transaction of ours is about to be settled. Whatever of the same sender was found dead before, and was left to whom
 * it is being sent by, fails now: it would hold the nonce that has landed, or stay on its way in an operation that has
 * completed.
 */
export async function failDisplacedTransactions(
  { tx, snapshot, at }: SettlementContext,
  { transaction: landed }: Candidate,
): Promise<void> {
  if (landed.nonce === null) return
  const { organizationId } = snapshot.wallet
  const overtaken = await tx
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
  for (const { id, operation_id } of overtaken) {
    const operation = await readOperation(tx, { organizationId, walletProfileId: null }, operation_id)
    const transaction = operation.transactions.find(({ transactionId }) => transactionId === id)!
    const failure = { code: 'NONCE_TOO_LOW', error: 'Its nonce was used by another transaction.' }
    await failTransaction(tx, operation, transaction, { event: 'failed_for_good', failure }, at)
  }
}

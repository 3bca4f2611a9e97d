import type { Candidate } from './classify.ts'
import { failTransaction } from './fail-transaction.ts'
import { readOperation } from './read-operations.ts'
import type { Settlement } from './settle-wallet.ts'

/**
 * A transaction of ours is about to be settled. Whatever of the same sender was found dead before, and was left to whom
 * it is being sent by, fails now: it would hold the nonce that has landed, or stay on its way in an operation that has
 * completed.
 */
export async function failOvertaken(
  { tx, reading, at }: Settlement,
  { transaction: landed }: Candidate,
): Promise<void> {
  if (landed.nonce === null) return
  const { organizationId } = reading.wallet
  const overtaken = await tx
    .selectFrom('transactions')
    .select(['id', 'operation_id'])
    .where('organization_id', '=', organizationId)
    .where('blockchain', '=', landed.blockchain)
    .where('sender', '=', landed.sender)
    .where('nonce', '<=', landed.nonce)
    .where('state', '=', 'pending')
    .where('watched', '=', false)
    .where('id', '<>', landed.transactionId)
    .orderBy('id')
    .execute()
  for (const { id, operation_id } of overtaken) {
    const operation = await readOperation(tx, { organizationId, walletProfileId: null }, operation_id)
    const transaction = operation.transactions.find(({ transactionId }) => transactionId === id)!
    const error = 'Its nonce was used by another transaction.'
    await failTransaction(tx, operation, transaction, { failure_code: 'NONCE_TOO_LOW', error }, at)
  }
}

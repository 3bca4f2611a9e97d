import { inTransaction } from '../../database/index.ts'
import { abortUnissued, isUnissued } from '../lifecycle/abort-unissued.ts'
import { lockOperation } from '../lifecycle/lock-operation.ts'
import type { Parts } from '../lifecycle/parts.ts'

/**
 * Aborts a rebalancer's operation that was planned before the buffer or the switch of its operational wallet changed,
 * if none of its bytes were issued (contract 10). Returns whether it was aborted.
 */
export async function abortOutdatedOperation(
  parts: Pick<Parts, 'db' | 'clock'>,
  wallet: { readonly organizationId: number; readonly opWalletId: number; readonly updatedAt: Date },
  { operationId }: { readonly operationId: number },
): Promise<boolean> {
  return inTransaction(parts.db, async (tx) => {
    const scope = { organizationId: wallet.organizationId, walletProfileId: null }
    const operation = await lockOperation(tx, scope, operationId)
    const isOutdated =
      operation.origin === 'rebalancer' &&
      operation.opWalletId === wallet.opWalletId &&
      operation.createdAt <= wallet.updatedAt &&
      isUnissued(operation)
    if (!isOutdated) return false
    const explanation = 'The buffer or the switch of the wallet was changed.'
    await abortUnissued(tx, [operation], explanation, parts.clock.now())
    return true
  })
}

import { inTransaction } from '../database/index.ts'
import { abortUntouched, isUntouched } from './abort-untouched.ts'
import type { Parts } from './parts.ts'
import { readLocked } from './read-locked.ts'

/**
 * Aborts an operation of the rebalancer that was planned before the buffer or the switch of its operational wallet
 * changed, if none of its bytes were handed out (decisions 10). Returns whether it did.
 */
export async function abortOutdated(
  parts: Pick<Parts, 'db' | 'clock'>,
  wallet: { readonly organizationId: number; readonly opWalletId: number; readonly updatedAt: Date },
  { operationId }: { readonly operationId: number },
): Promise<boolean> {
  return inTransaction(parts.db, async (tx) => {
    const sight = { organizationId: wallet.organizationId, walletProfileId: null }
    const operation = await readLocked(tx, sight, operationId)
    const isOutdated =
      operation.origin === 'rebalancer' &&
      operation.opWalletId === wallet.opWalletId &&
      operation.createdAt <= wallet.updatedAt &&
      isUntouched(operation)
    if (!isOutdated) return false
    const explanation = 'The buffer or the switch of the wallet was changed.'
    await abortUntouched(tx, [operation], explanation, parts.clock.now())
    return true
  })
}

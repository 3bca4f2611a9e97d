import type { Tx } from '../../../database/index.ts'
import { Failure } from '../../../kernel/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import { lockWallets } from '../reads/lock-wallets.ts'
import { unfinishedOperations } from '../reads/read-operations.ts'
import { isOverdue } from './expire-operations.ts'
import { splitUnfinished } from './plan-conflicts.ts'

/**
 * Locks a wallet for what is decided without a plan, and that the wallet's unfinished operations would change. A
 * revocation that yields to every move does not. Error: OPERATION_IN_PROGRESS, as a withdrawal that is planned returns it.
 */
export async function requireIdleWallet(
  tx: Tx,
  wallet: Pick<Wallet, 'organizationId' | 'walletId'>,
  now: Date,
): Promise<void> {
  await lockWallets(tx, [wallet])
  const unfinished = await unfinishedOperations(tx, wallet)
  const { blocking } = splitUnfinished(
    unfinished.filter((operation) => !isOverdue(operation, now)),
    { type: 'UNWIND' },
  )
  if (blocking) throw new Failure('OPERATION_IN_PROGRESS', { details: { operationId: blocking.operationId } })
}

import { extendTransact, type Transact } from '../database/index.ts'
import { Failure } from '../kernel/index.ts'
import type { Operation } from '../operations/index.ts'
import { type EvaluationClaim, lockClaimed, type WalletSettings } from '../wallets/index.ts'

/** What a move was chosen under. */
export interface ChosenUnder {
  readonly claim: EvaluationClaim
  /** As the evaluation read them. */
  readonly opWallet: WalletSettings
}

/**
 * Throws OPERATION_IN_PROGRESS, and nothing is planned, if another process claimed the wallet meanwhile: this one hung for
 * longer than its claim, and what it read is outdated. So is a move if people changed the settings that it was chosen
 * for; that change made the wallet due again.
 */
export function requireClaim({ claim, opWallet }: ChosenUnder, transact: Transact<Operation>): Transact<Operation> {
  return extendTransact(transact, async (tx, operation: Operation) => {
    const found = await lockClaimed(tx, claim, opWallet)
    if (found === 'lost')
      throw new Failure('OPERATION_IN_PROGRESS', {
        message: 'Another process is evaluating the wallet. Try again in a moment.',
      })
    if (found === 'changed')
      throw new Failure('OPERATION_IN_PROGRESS', {
        message: 'The buffer or the yield setting of the wallet was changed in the meantime.',
      })
    return operation
  })
}

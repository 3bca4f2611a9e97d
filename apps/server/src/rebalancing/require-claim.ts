import { extendTransact, type Transact } from '../database/index.ts'
import { Failure } from '../kernel/index.ts'
import type { Operation } from '../operations/index.ts'
import { type EvaluationClaim, holdsClaim } from '../wallets/index.ts'

/**
 * Throws OPERATION_IN_PROGRESS, and nothing is planned, if another process claimed the wallet meanwhile: this one hung for
 * longer than its claim, and what it read is outdated.
 */
export function requireClaim(claim: EvaluationClaim, transact: Transact<Operation>): Transact<Operation> {
  return extendTransact(transact, async (tx, operation: Operation) => {
    if (await holdsClaim(tx, claim)) return operation
    throw new Failure('OPERATION_IN_PROGRESS', {
      message: 'Another process is evaluating the wallet. Try again in a moment.',
    })
  })
}

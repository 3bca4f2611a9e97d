import type { Chain, SignedTransaction } from '../../chains/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import type { OperationTransaction } from '../lifecycle/states/transaction.ts'

export interface SignedMatch {
  readonly transaction: OperationTransaction
  readonly signed: SignedTransaction
}

/**
 * Finds the operation's transaction that the signed bytes match in destination, call data, value, chain, nonce and
 * signer (contract 6). Without a match, the error describes the difference to the waiting transaction.
 *
 * Errors: TRANSACTION_NOT_FOUND (the operation has no transaction with this id), VALIDATION_ERROR (not a signed
 * transaction), TRANSACTION_MISMATCH.
 */
export async function matchSignedTransaction(
  chain: Chain,
  operation: Operation,
  text: string,
  transactionId: number | undefined,
): Promise<SignedMatch> {
  const candidates =
    transactionId === undefined
      ? operation.transactions
      : operation.transactions.filter((transaction) => transaction.transactionId === transactionId)
  if (candidates.length === 0) throw new Failure('TRANSACTION_NOT_FOUND')
  const waiting = candidates.find((transaction) => transaction.status === 'unsigned') ?? candidates[0]
  let difference: Failure | undefined
  for (const transaction of candidates) {
    try {
      return { transaction, signed: await chain.checkSigned(text, transaction) }
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'TRANSACTION_MISMATCH') throw error
      if (transaction === waiting) difference = error
    }
  }
  throw difference ?? new Failure('TRANSACTION_MISMATCH')
}

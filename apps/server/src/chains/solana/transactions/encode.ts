import { getBase64EncodedWireTransaction } from '@solana/transactions'
import { assert } from '../../../kernel/index.ts'
import { sameInstructions, svmCall } from '../../port/calls.ts'
import type { SvmUnsignedTransaction } from '../../port/families.ts'
import type { TransactionRequest } from '../../port/transaction-bytes.ts'
import { memo, setComputeBudget } from './instructions.ts'
import { compile } from './message.ts'

/** The memo that identifies the transaction with that id (rule 11). */
export function transactionMemo(transactionId: number): string {
  return `weir:${transactionId}`
}

/**
 * An unsigned version-0 transaction in base64, with its one signature zeroed: compute budget, instructions, and the
 * memo that identifies it on chain. A call that already has the memo keeps it: rebuilt bytes of a plan do the same.
 */
export function encode({ sender, call, gas, senderState, transactionId }: TransactionRequest): SvmUnsignedTransaction {
  assert(senderState.family === 'svm', 'the state of a Solana sender')
  const idMemo = memo(transactionMemo(transactionId))
  const others = svmCall(call).instructions.filter((one) => !sameInstructions([one], [idMemo]))
  const instructions = [...others, idMemo]
  const { lifetime, priorityFee } = senderState
  const transaction = compile(sender, [...setComputeBudget(gas, priorityFee), ...instructions], lifetime.blockhash)
  return {
    bytes: getBase64EncodedWireTransaction(transaction),
    nonce: null,
    call: { family: 'svm', instructions },
    lifetime,
  }
}

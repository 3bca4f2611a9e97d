import { getBase64EncodedWireTransaction } from '@solana/transactions'
import { assert } from '../../kernel/index.ts'
import { sameInstructions, svmCall } from '../port/calls.ts'
import type { TransactionRequest } from '../port/chain.ts'
import type { SvmUnsignedTransaction } from '../port/families.ts'
import { memo, setComputeBudget } from './instructions.ts'
import { compile } from './message.ts'

/** What marks a transaction as the one with that id (rule 11). */
export function transactionMemo(transactionId: number): string {
  return `weir:${transactionId}`
}

/**
 * An unsigned version-0 transaction in base64, its one signature zeros: what it may cost, what it does, and the memo by
 * which it is recognized on chain. A call that has the memo already keeps the one: new bytes of a plan do the same.
 */
export function encode({ sender, call, gas, senderState, transactionId }: TransactionRequest): SvmUnsignedTransaction {
  assert(senderState.family === 'svm', 'facts of a sender on Solana')
  const own = memo(transactionMemo(transactionId))
  const others = svmCall(call).instructions.filter((one) => !sameInstructions([one], [own]))
  const instructions = [...others, own]
  const { lifetime, priorityFee } = senderState
  const transaction = compile(sender, [...setComputeBudget(gas, priorityFee), ...instructions], lifetime.blockhash)
  return {
    bytes: getBase64EncodedWireTransaction(transaction),
    nonce: null,
    call: { family: 'svm', instructions },
    lifetime,
  }
}

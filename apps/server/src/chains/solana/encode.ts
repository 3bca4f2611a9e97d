import { getBase64EncodedWireTransaction } from '@solana/transactions'
import { assert } from '../../kernel/index.ts'
import { sameInstructions, svmCall } from '../calls.ts'
import type { SvmUnsigned } from '../families.ts'
import type { UnsignedPlan } from '../port.ts'
import { budget, memo } from './instructions.ts'
import { compile } from './message.ts'

/** What marks a transaction as the one with that id (money-rules 11). */
export function memoText(transactionId: number): string {
  return `weir:${transactionId}`
}

/**
 * An unsigned version-0 transaction in base64, its one signature zeros: what it may cost, what it does, and the memo by
 * which it is recognized on chain. A call that has the memo already keeps the one: new bytes of a plan do the same.
 */
export function encode({ sender, call, gas, facts, transactionId }: UnsignedPlan): SvmUnsigned {
  assert(facts.family === 'svm', 'facts of a sender on Solana')
  const own = memo(memoText(transactionId))
  const others = svmCall(call).instructions.filter((one) => !sameInstructions([one], [own]))
  const instructions = [...others, own]
  const { lifetime, priorityFee } = facts
  const transaction = compile(sender, [...budget(gas, priorityFee), ...instructions], lifetime.blockhash)
  return {
    bytes: getBase64EncodedWireTransaction(transaction),
    nonce: null,
    call: { family: 'svm', instructions },
    lifetime,
  }
}

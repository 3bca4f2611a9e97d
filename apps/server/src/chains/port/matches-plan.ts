import { type Call, sameInstructions } from './calls.ts'
import type { EvmTransactionContent, SvmTransactionContent } from './included-transaction.ts'

/** The planned transaction: who signs, and what. */
export interface PlannedTransaction {
  readonly sender: string
  readonly nonce: number | null
  readonly call: Call
}

/**
 * Whether an on-chain transaction is the planned one, whatever its hash (contract 8): same signer, and on EVM chains
 * same nonce, destination, data and value; on Solana same instructions, whose memo names exactly one transaction
 * (rule 11).
 */
export function matchesPlan(
  { sender, nonce, call }: PlannedTransaction,
  observed: EvmTransactionContent | SvmTransactionContent,
): boolean {
  if (sender !== observed.sender) return false
  if (observed.family === 'svm')
    return call.family === 'svm' && sameInstructions(call.instructions, observed.instructions)
  return (
    call.family === 'evm' &&
    nonce === observed.nonce &&
    call.to === observed.to &&
    call.data === observed.data &&
    call.value === observed.value
  )
}

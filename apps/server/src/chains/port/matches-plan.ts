import { type Call, sameInstructions } from './calls.ts'
import type { EvmTransactionContent, SvmTransactionContent } from './chain.ts'

/** What was planned: who signs, and what. */
export interface PlannedTransaction {
  readonly sender: string
  readonly nonce: number | null
  readonly call: Call
}

/**
 * Whether a transaction that a chain shows is the planned one, whatever its hash (contract 8): same signer, and on EVM
 * chains same nonce, destination, data and value; on Solana same instructions, of which the memo names one transaction
 * of ours only (rule 11).
 */
export function matchesPlan(
  { sender, nonce, call }: PlannedTransaction,
  shown: EvmTransactionContent | SvmTransactionContent,
): boolean {
  if (sender !== shown.sender) return false
  if (shown.family === 'svm') return call.family === 'svm' && sameInstructions(call.instructions, shown.instructions)
  return (
    call.family === 'evm' &&
    nonce === shown.nonce &&
    call.to === shown.to &&
    call.data === shown.data &&
    call.value === shown.value
  )
}

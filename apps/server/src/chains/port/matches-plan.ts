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

/**
 * Whether a transaction in a block uses up the nonce of a planned one: it has the same sender, and the same nonce or a
 * higher one, after which no lower nonce can land. Where there are no nonces, nothing displaces anything (rule 1).
 */
export function consumesNonce(
  { sender, nonce }: Pick<PlannedTransaction, 'sender' | 'nonce'>,
  included: EvmTransactionContent | SvmTransactionContent,
): boolean {
  return sender === included.sender && nonce !== null && included.nonce !== null && nonce <= included.nonce
}

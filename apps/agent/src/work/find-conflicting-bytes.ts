import type { Verdict } from '@weir/verify'
import type { Node } from '../chains/index.ts'
import type { Journal, SignedTransaction } from '../journal/index.ts'
import { meaningText } from './sign-transaction.ts'

/**
 * Finds earlier signed bytes that forbid signing new ones for the same transaction, because both could land. Two versions
 * with the same effect and nonce never both land on EVM; otherwise the earlier bytes must be dead (rule 1), which the
 * agent checks through its own nodes. Returns the conflicting entry, if any.
 */
export async function findConflictingBytes(
  journal: Pick<Journal, 'outcomeOf' | 'recordOutcome'>,
  node: Node,
  earlier: readonly SignedTransaction[],
  verified: Extract<Verdict, { ok: true }>,
): Promise<SignedTransaction | undefined> {
  const { envelope } = verified
  for (const entry of earlier) {
    const sameNonce = envelope.family === 'evm' && entry.nonce === envelope.nonce
    if (sameNonce && entry.meaning === meaningText(verified.meaning)) continue
    // Another chain is asked about again, whatever the journal says: endpoints may have misled an earlier version.
    if (journal.outcomeOf(entry) === 'dead' || !(await node.serves(entry.genesis))) continue
    if ((await node.transactionState(entry)) !== 'dead') return entry
    // Their amount stops counting before the new bytes are counted.
    journal.recordOutcome(entry, 'dead')
  }
  return undefined
}

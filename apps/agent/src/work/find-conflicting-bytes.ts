import type { Verdict } from '@weir/verify'
import type { Node } from '../chains/index.ts'
import type { Journal, SignedTransaction } from '../journal/index.ts'
import { meaningText } from './sign-transaction.ts'

/**
 * Whether new bytes of a transaction may be signed beside what was signed for it before: only when at most one of them
 * can ever land. That is so on EVM for the same effect at the same nonce, and otherwise once the earlier ones are dead
 * (rule 1): the agent looks for itself, through its own nodes. Returns the entry that stands in the way.
 */
export async function findConflictingBytes(
  journal: Pick<Journal, 'outcomeOf'>,
  node: Node,
  earlier: readonly SignedTransaction[],
  verified: Extract<Verdict, { ok: true }>,
): Promise<SignedTransaction | undefined> {
  const { envelope } = verified
  for (const entry of earlier) {
    const sameNonce = envelope.family === 'evm' && entry.nonce === envelope.nonce
    if (sameNonce && entry.meaning === meaningText(verified.meaning)) continue
    const ending = journal.outcomeOf(entry)
    if (ending === 'dead' || ending === 'other-chain') continue
    if (entry.genesis !== (await node.genesis())) continue
    if ((await node.transactionState(entry)) !== 'dead') return entry
  }
  return undefined
}

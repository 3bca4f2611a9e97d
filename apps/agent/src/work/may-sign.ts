import type { Verdict } from '@weir/verify'
import type { Node } from '../chains/index.ts'
import type { Journal, Signed } from '../journal/index.ts'
import { meaningText } from './sign-transaction.ts'

/**
 * Whether new bytes of a transaction may be signed beside what was signed for it before: only when at most one of them
 * can ever land. That is so on EVM for the same effect at the same nonce, and otherwise once the earlier ones are dead
 * (money-rules 1): the agent looks for itself, through its own nodes. Returns the entry that stands in the way.
 */
export async function inTheWay(
  journal: Pick<Journal, 'endingOf'>,
  node: Node,
  earlier: readonly Signed[],
  verified: Extract<Verdict, { ok: true }>,
): Promise<Signed | undefined> {
  const { envelope } = verified
  for (const entry of earlier) {
    const sameNonce = envelope.family === 'evm' && entry.nonce === envelope.nonce
    if (sameNonce && entry.meaning === meaningText(verified.meaning)) continue
    const ending = journal.endingOf(entry)
    if (ending === 'dead' || ending === 'other-chain') continue
    if (entry.genesis !== (await node.genesis())) continue
    if ((await node.fate(entry)) !== 'dead') return entry
  }
  return undefined
}

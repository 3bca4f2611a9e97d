import type { SolanaContext } from './context.ts'
import { memoText } from './encode.ts'
import { mentionsOf } from './signatures.ts'

/**
 * Signatures of an address's final transactions that carry the memo of one of these transactions of ours, read from a
 * node that is at `slot` or further, back to `since` (money-rules 1). Throws CHAIN_UNAVAILABLE where that cannot be
 * completed: then nothing may be concluded.
 */
export async function findLanded(
  { rpc, final }: SolanaContext,
  address: string,
  transactionIds: readonly number[],
  { slot, since }: { slot: number; since: Date },
): Promise<string[]> {
  const memos = new Set(transactionIds.map(memoText))
  const told = await mentionsOf({ rpc }, address, {
    commitment: final,
    atLeast: slot,
    isBefore: ({ blockTime }) => blockTime !== null && blockTime * 1_000 < since.getTime(),
  })
  return told.flatMap(({ signature, memo }) => {
    const texts = memo?.split('; ').map((text) => text.replace(/^\[\d+\] /, '')) ?? []
    return texts.some((text) => memos.has(text)) ? [signature] : []
  })
}

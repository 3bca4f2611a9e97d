import { refused } from '../rpc/rpc.ts'
import type { SolanaContext } from './context.ts'
import { memoText } from './encode.ts'

/** So many signatures are told in one answer, and so many answers are read before it is too much. */
const PAGE = 1_000
const PAGES_MAX = 10

interface WireSignature {
  readonly signature: string
  readonly blockTime: number | null
  /** `[7] weir:42`, several joined by `; `. */
  readonly memo: string | null
}

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
  const found: string[] = []
  let before: string | undefined
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const options = { commitment: final, limit: PAGE, minContextSlot: slot, ...(before !== undefined && { before }) }
    const told = await rpc.request<WireSignature[]>('getSignaturesForAddress', [address, options])
    for (const { signature, memo } of told) {
      const texts = memo?.split('; ').map((text) => text.replace(/^\[\d+\] /, '')) ?? []
      if (texts.some((text) => memos.has(text))) found.push(signature)
    }
    const last = told.at(-1)
    if (last === undefined || told.length < PAGE) return found
    if (last.blockTime !== null && last.blockTime * 1_000 < since.getTime()) return found
    before = last.signature
  }
  throw refused('getSignaturesForAddress', `${address} has too many transactions since then`)
}

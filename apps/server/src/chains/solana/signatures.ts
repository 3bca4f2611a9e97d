import { type Rpc, refused } from '../rpc/rpc.ts'
import type { Commitment } from './context.ts'
import { inParts } from './in-parts.ts'

/** One transaction that names an address, as a node lists it. */
export interface Mention {
  readonly signature: string
  readonly slot: number
  /** Unix seconds. */
  readonly blockTime: number | null
  /** `[7] weir:42`, several joined by `; `. */
  readonly memo: string | null
}

/** So many are told in one answer. */
const PAGE = 1_000
/** Of most addresses nothing is new, or one thing: the first look asks for few, so that an answer to many is small. */
const FIRST_LOOK = 20
/** So many answers are read before it is too much. */
const PAGES_MAX = 10

export interface MentionsQuery {
  readonly commitment: Commitment
  /** No node that is behind this slot may answer. */
  readonly atLeast: number
  /** Whether one that is told is from before everything that is asked for; those behind it are too. */
  readonly isBefore: (mention: Mention) => boolean
  /** How many the first look asks for. */
  readonly firstLook?: number
}

export interface Mentions {
  readonly found: Mention[]
  /** Whether one from before was told. If none was, perhaps there is none; or the node has forgotten it, and more. */
  readonly isBounded: boolean
}

/**
 * The transactions that name an address, newest first and in the order of their blocks, back to what is asked for. One
 * call for each page; of many addresses all in one HTTP request. Throws CHAIN_UNAVAILABLE where the list is too long.
 */
export async function mentionsOf(
  { rpc }: { readonly rpc: Rpc },
  address: string,
  { commitment, atLeast, isBefore, firstLook = PAGE }: MentionsQuery,
): Promise<Mentions> {
  const found: Mention[] = []
  let before: string | undefined
  let limit = firstLook
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const options = { commitment, limit, minContextSlot: atLeast, ...(before !== undefined && { before }) }
    const told = await rpc.request<Mention[]>('getSignaturesForAddress', [address, options])
    for (const mention of told) {
      if (isBefore(mention)) return { found, isBounded: true }
      found.push(mention)
    }
    const last = told.at(-1)
    if (last === undefined || told.length < limit) return { found, isBounded: false }
    before = last.signature
    limit = PAGE
  }
  throw refused('getSignaturesForAddress', `${address} has too many transactions since then`)
}

/** The oldest slot of which the node still has the block; of what was before, its lists tell nothing. */
export function oldestSlot({ rpc }: { readonly rpc: Rpc }): Promise<number> {
  return rpc.request<number>('getFirstAvailableBlock', [])
}

/**
 * Those of each address after a slot, oldest first. Throws CHAIN_UNAVAILABLE where a list cannot be completed, also
 * because the node has forgotten what was so long ago: then nothing may be concluded.
 */
export async function mentionsAfter(
  parts: { readonly rpc: Rpc },
  addresses: readonly string[],
  slot: number,
  asked: Pick<MentionsQuery, 'commitment' | 'atLeast'>,
): Promise<Mention[][]> {
  const isBefore = (mention: Mention) => mention.slot <= slot
  const query = { ...asked, isBefore, firstLook: FIRST_LOOK }
  const [oldest, lists] = await Promise.all([
    addresses.length === 0 ? 0 : oldestSlot(parts),
    inParts(addresses, (address) => mentionsOf(parts, address, query)),
  ])
  if (oldest > slot && lists.some(({ isBounded }) => !isBounded)) {
    throw refused('getSignaturesForAddress', `the node has nothing from before slot ${oldest}`)
  }
  return lists.map(({ found }) => found.reverse())
}

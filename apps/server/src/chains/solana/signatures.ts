import { type Rpc, requestRejected } from '../rpc/rpc.ts'
import type { Commitment } from './context.ts'
import { inBatches } from './in-batches.ts'

/** One transaction that names an address, as a node lists it. */
export interface SignatureInfo {
  readonly signature: string
  readonly slot: number
  /** Unix seconds. */
  readonly blockTime: number | null
  /** `[7] weir:42`, several joined by `; `. */
  readonly memo: string | null
}

/** So many are told in one answer. */
const PAGE_SIZE = 1_000
/** Of most addresses nothing is new, or one thing: the first look asks for few, so that an answer to many is small. */
const FIRST_PAGE_SIZE = 20
/** So many answers are read before it is too much. */
const PAGES_MAX = 10

export interface SignatureQuery {
  readonly commitment: Commitment
  /** No node that is behind this slot may answer. */
  readonly minContextSlot: number
  /** Whether one that is told is from before everything that is asked for; those behind it are too. */
  readonly isBefore: (mention: SignatureInfo) => boolean
  /** How many the first look asks for. */
  readonly firstPageSize?: number
}

export interface SignaturePage {
  readonly signatures: SignatureInfo[]
  /** Whether one from before was told. If none was, perhaps there is none; or the node has forgotten it, and more. */
  readonly isBounded: boolean
}

/**
 * The transactions that name an address, newest first and in the order of their blocks, back to what is asked for. One
 * call for each page; of many addresses all in one HTTP request. Throws CHAIN_UNAVAILABLE where the list is too long.
 */
export async function signaturesFor(
  { rpc }: { readonly rpc: Rpc },
  address: string,
  { commitment, minContextSlot, isBefore, firstPageSize = PAGE_SIZE }: SignatureQuery,
): Promise<SignaturePage> {
  const signatures: SignatureInfo[] = []
  let before: string | undefined
  let limit = firstPageSize
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const options = { commitment, limit, minContextSlot: minContextSlot, ...(before !== undefined && { before }) }
    const told = await rpc.request<SignatureInfo[]>('getSignaturesForAddress', [address, options])
    for (const mention of told) {
      if (isBefore(mention)) return { signatures, isBounded: true }
      signatures.push(mention)
    }
    const last = told.at(-1)
    if (last === undefined || told.length < limit) return { signatures, isBounded: false }
    before = last.signature
    limit = PAGE_SIZE
  }
  throw requestRejected('getSignaturesForAddress', `${address} has too many transactions since then`)
}

/** The oldest slot of which the node still has the block; of what was before, its lists tell nothing. */
export function oldestSlot({ rpc }: { readonly rpc: Rpc }): Promise<number> {
  return rpc.request<number>('getFirstAvailableBlock', [])
}

/**
 * Those of each address after a slot, oldest first. Throws CHAIN_UNAVAILABLE where a list cannot be completed, also
 * because the node has forgotten what was so long ago: then nothing may be concluded.
 */
export async function signaturesAfter(
  parts: { readonly rpc: Rpc },
  addresses: readonly string[],
  slot: number,
  asked: Pick<SignatureQuery, 'commitment' | 'minContextSlot'>,
): Promise<SignatureInfo[][]> {
  const isBefore = (mention: SignatureInfo) => mention.slot <= slot
  const query = { ...asked, isBefore, firstPageSize: FIRST_PAGE_SIZE }
  const [oldest, lists] = await Promise.all([
    addresses.length === 0 ? 0 : oldestSlot(parts),
    inBatches(addresses, (address) => signaturesFor(parts, address, query)),
  ])
  if (oldest > slot && lists.some(({ isBounded }) => !isBounded)) {
    throw requestRejected('getSignaturesForAddress', `the node has nothing from before slot ${oldest}`)
  }
  return lists.map(({ signatures }) => signatures.reverse())
}

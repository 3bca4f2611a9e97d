import {
  ACTIVITY_PAGES_MAX,
  SIGNATURES_FIRST_PAGE_SIZE,
  SIGNATURES_PAGE_SIZE,
  SIGNATURES_PAGES_MAX,
} from '../../../kernel/index.ts'
import { PastStateMissingError } from '../../port/past-state-missing.ts'
import { decodeResult } from '../../rpc/decode-result.ts'
import type { RpcResponse } from '../../rpc/endpoint.ts'
import { type Rpc, requestRejected } from '../../rpc/rpc.ts'
import type { Commitment, ListWitness, SolanaRpcResponse } from '../context.ts'
import { inBatches } from './in-batches.ts'

/** A transaction that mentions an address, as a node lists it. */
export interface SignatureInfo {
  readonly signature: string
  readonly slot: number
  /** Unix seconds. */
  readonly blockTime: number | null
  /** `[7] weir:42`; several are joined by `; `. */
  readonly memo: string | null
}

export interface SignatureQuery {
  readonly commitment: Commitment
  /** The minimum slot of the node that serves the read. */
  readonly minContextSlot: number
  /** Whether this transaction is older than the requested range; all later ones in the list are too. */
  readonly isBefore: (mention: SignatureInfo) => boolean
  /** The size of the first page. */
  readonly firstPageSize?: number
  /** Only transactions before this one. */
  readonly before?: string
  /** How many pages are read at most. */
  readonly pages?: number
  /** A node whose list of it is older is refused. */
  readonly witness?: ListWitness | undefined
}

export interface SignaturePage {
  readonly signatures: SignatureInfo[]
  /** Whether an older transaction was listed. If not, there may be none, or the node may have pruned it and more. */
  readonly isBounded: boolean
  /** The newest listed transaction before the requested range. */
  readonly older?: SignatureInfo
  /** Set when the list is longer than the pages read: the last transaction read. */
  readonly continueBefore?: string
}

/**
 * The transactions that mention an address, newest first and in block order, back to the requested range. One call per
 * page; for many addresses, all in one HTTP request. Anyone can make the list long, so a call reads a bounded part. Throws
 * CHAIN_UNAVAILABLE for a page of a node that does not know where to continue, or whose lists have not reached the witness.
 */
export async function signaturesFor(
  { rpc }: { readonly rpc: Rpc },
  address: string,
  {
    commitment,
    minContextSlot,
    isBefore,
    firstPageSize = SIGNATURES_PAGE_SIZE,
    pages = SIGNATURES_PAGES_MAX,
    witness,
    ...query
  }: SignatureQuery,
): Promise<SignaturePage> {
  const signatures: SignatureInfo[] = []
  let { before } = query
  let limit = firstPageSize
  for (let page = 0; page < pages; page += 1) {
    const options = { commitment, limit, minContextSlot: minContextSlot, ...(before !== undefined && { before }) }
    const listed = await readPage(rpc, address, { options, witness })
    for (const mention of listed) {
      if (isBefore(mention)) return { signatures, isBounded: true, older: mention }
      signatures.push(mention)
    }
    const last = listed.at(-1)
    if (last === undefined || listed.length < limit) return { signatures, isBounded: false }
    before = last.signature
    limit = SIGNATURES_PAGE_SIZE
  }
  return { signatures, isBounded: true, ...(before !== undefined && { continueBefore: before }) }
}

interface PageQuery {
  readonly options: Pick<SignatureQuery, 'commitment' | 'minContextSlot' | 'before'> & { readonly limit: number }
  readonly witness: ListWitness | undefined
}

/** What proves a page is asked with it, because calls of one tick reach the same node. */
async function readPage(rpc: Rpc, address: string, { options, witness }: PageQuery): Promise<SignatureInfo[]> {
  const { before, commitment, minContextSlot } = options
  const list = (of: string, listOptions: object) =>
    rpc.request<SignatureInfo[]>('getSignaturesForAddress', [of, listOptions])
  const [answer, status, newest] = await Promise.all([
    list(address, options),
    before === undefined
      ? undefined
      : rpc.tryRequest('getSignatureStatuses', [[before], { searchTransactionHistory: true }]),
    witness && list(witness.address, { commitment, minContextSlot, limit: 1 }),
  ])
  const [listed, reached] = decodeResult('getSignaturesForAddress', () => [
    answer.map((mention) => ({ ...mention })),
    newest?.map(({ slot }) => slot).at(0),
  ])
  if (witness && (reached === undefined || reached < witness.slot))
    throw requestRejected('getSignaturesForAddress', `the lists of the node have not reached slot ${witness.slot}`)
  // A node that does not know where to continue returns an empty list, not an error.
  if (status && listed.length === 0 && !isKnown(status))
    throw requestRejected('getSignaturesForAddress', `the node does not know ${before}`)
  return listed
}

function isKnown(response: RpcResponse): boolean {
  if (!response.ok) return false
  const result = response.result as SolanaRpcResponse<unknown[]>
  return decodeResult('getSignatureStatuses', () => (result.value[0] ?? null) !== null)
}

/** The oldest slot whose block the node still has; its lists contain nothing from before. */
export function oldestSlot({ rpc }: { readonly rpc: Rpc }): Promise<number> {
  return rpc.request<number>('getFirstAvailableBlock', [])
}

/** The transactions of an address after a slot. */
export interface SignatureHistory {
  /** Oldest first; `undefined` for an address with too many. */
  readonly after: readonly SignatureInfo[] | undefined
  /** The last one up to that slot; `undefined` if none is listed. */
  readonly older: SignatureInfo | undefined
}

/**
 * The transactions of each address after a slot. Throws CHAIN_UNAVAILABLE when a list cannot be completed because the
 * node has pruned that part: then nothing may be concluded.
 */
export async function signaturesAfter(
  parts: { readonly rpc: Rpc },
  addresses: readonly string[],
  slot: number,
  options: Pick<SignatureQuery, 'commitment' | 'minContextSlot'>,
): Promise<SignatureHistory[]> {
  const isBefore = (mention: SignatureInfo) => mention.slot <= slot
  const query = { ...options, isBefore, firstPageSize: SIGNATURES_FIRST_PAGE_SIZE, pages: ACTIVITY_PAGES_MAX }
  const [oldest, lists] = await Promise.all([
    addresses.length === 0 ? 0 : oldestSlot(parts),
    inBatches(addresses, (address) => signaturesFor(parts, address, query)),
  ])
  if (oldest > slot && lists.some(({ isBounded }) => !isBounded)) {
    throw new PastStateMissingError('getSignaturesForAddress', `the node has nothing from before slot ${oldest}`)
  }
  return lists.map(({ signatures, continueBefore, older }) => ({
    after: continueBefore === undefined ? signatures.reverse() : undefined,
    older,
  }))
}

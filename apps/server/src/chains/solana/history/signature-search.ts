import type { SvmIncludedTransaction } from '../../port/included-transaction.ts'
import type { TokenReading } from '../caches/balance-history.ts'
import { FINALIZED, type SolanaContext } from '../context.ts'
import type { AccountTimeline } from './explain-balances.ts'
import { fetchBalanceAfter, fetchListed } from './fetch-transactions.ts'
import { inBatches } from './in-batches.ts'
import { type SignatureHistory, type SignatureInfo, signaturesAfter } from './signatures.ts'

interface SearchRange {
  readonly after: number
  readonly upTo: number
  /** The minimum slot of the nodes that list. */
  readonly atLeast: number
  /** Whether an address is a token account, whose amounts are compared. */
  readonly isTokenAccount: (address: string) => boolean
}

export interface SearchedTimeline extends AccountTimeline {
  /** Whether nodes list the next transaction and do not have it. */
  readonly isNextMissing: boolean
}

/**
 * The search for transactions of one round, which continues from those it found. Addresses are asked about once; what the
 * lists show is then examined up to one slot or another.
 */
export function createSignatureSearch(
  parts: Pick<SolanaContext, 'rpc'>,
  { after, upTo: last, atLeast: minContextSlot, isTokenAccount }: SearchRange,
) {
  const lists = new Map<string, SignatureHistory>()
  const incomplete = new Set<string>()
  const found = new Map<string, SvmIncludedTransaction>()
  const missing = new Set<string>()
  const left = new Map<string, Promise<bigint | undefined>>()

  /** What the last transaction before the search left in an account. */
  function leftBefore(account: string, older: SignatureInfo): Promise<bigint | undefined> {
    const balance = left.get(account) ?? fetchBalanceAfter(parts, older, account)
    left.set(account, balance)
    return balance
  }

  return {
    wasAsked: (address: string) => lists.has(address),
    /**
     * The slot of the last transaction that mentions an address; `undefined` if there is none, or it was not searched.
     */
    newest: (address: string) => lists.get(address)?.after?.at(-1)?.slot,
    /** The addresses with too many transactions; nothing was read of them. */
    incomplete: () => [...incomplete],
    isIncomplete: (address: string) => incomplete.has(address),
    /** The addresses that a transaction up to the slot mentions which nodes list and do not have. */
    lacking(upTo: number): ReadonlySet<string> {
      const isMissing = ({ slot, signature }: SignatureInfo) => slot <= upTo && missing.has(signature)
      return new Set([...lists].flatMap(([address, list]) => (list.after?.some(isMissing) ? [address] : [])))
    },
    found: (upTo: number) => [...found.values()].filter(({ blockNumber }) => blockNumber <= upTo),
    /**
     * Of each account that was searched in full, up to a slot. What it held before is read from its last transaction if
     * it is not in `before`.
     */
    timelines(
      upTo: number,
      readings: readonly TokenReading[],
      before: ReadonlyMap<string, TokenReading>,
    ): Promise<SearchedTimeline[]> {
      const searched = readings.filter(({ account }) => lists.get(account)?.after)
      return inBatches(searched, async ({ account, amount, slot: readAt }) => {
        const { after: mentions = [], older } = lists.get(account)!
        const last = before.get(account)
        // It was read at a later slot than the search begins at, and may contain the first of these transactions.
        const known = last && mentions.every(({ slot }) => slot > last.slot) ? last.amount : undefined
        const next = mentions.find(({ slot }) => slot > upTo && slot <= readAt)
        return {
          account,
          amount,
          before: known ?? (older && (await leftBefore(account, older))),
          transactions: mentions.filter(({ slot }) => slot <= upTo).map(({ signature }) => found.get(signature)),
          goesOn: next !== undefined,
          next: next && found.get(next.signature),
          isNextMissing: next !== undefined && missing.has(next.signature),
        }
      })
    },
    /** Lists these addresses, and reads the transactions that mention them and were not read before. */
    async askFor(addresses: readonly string[]): Promise<void> {
      const listed = await signaturesAfter(parts, addresses, after, { commitment: FINALIZED, minContextSlot })
      const wanted = listed.flatMap((list, index) => {
        const address = addresses[index]!
        lists.set(address, list)
        if (!list.after) incomplete.add(address)
        const mentions = list.after ?? []
        const next = isTokenAccount(address) ? mentions.find(({ slot }) => slot > last) : undefined
        return [...mentions.filter(({ slot }) => slot <= last), ...(next ? [next] : [])]
      })
      const fresh = uniqueMentions(wanted).filter(({ signature }) => !found.has(signature))
      const read = await fetchListed(parts, fresh, FINALIZED)
      for (const transaction of read.transactions) found.set(transaction.hash, transaction)
      for (const signature of read.missing) missing.add(signature)
    },
  }
}

/** Each once, although it mentions several of the addresses that were asked about. */
export function uniqueMentions(mentions: readonly SignatureInfo[]): SignatureInfo[] {
  return [...new Map(mentions.map((mention) => [mention.signature, mention])).values()]
}

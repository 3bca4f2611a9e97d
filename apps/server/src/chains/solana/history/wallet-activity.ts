import { SOLANA_ACTIVITY_BLOCKS_CACHED_MAX } from '../../../kernel/index.ts'
import type { SvmBlock } from '../../port/families.ts'
import type { SvmIncludedTransaction } from '../../port/included-transaction.ts'
import { PastStateMissingError } from '../../port/past-state-missing.ts'
import type { FinalizedActivity, TrackedAccounts, WalletActivity } from '../../port/wallet-activity.ts'
import type { BalanceHistory } from '../caches/balance-history.ts'
import { balanceAfter, balanceBefore } from '../caches/block-cache.ts'
import { createLateLists } from '../caches/late-lists.ts'
import { createTokenAccountIndex } from '../caches/token-account-index.ts'
import { FINALIZED, type SolanaContext } from '../context.ts'
import { type AccountTimeline, explain } from './explain-balances.ts'
import { fetchBalanceAfter, fetchBlocksOf, fetchListed, fetchTransactions } from './fetch-transactions.ts'
import { findUnexplained } from './find-unexplained.ts'
import { inBatches } from './in-batches.ts'
import { type SignatureHistory, type SignatureInfo, signaturesAfter } from './signatures.ts'
import { readTokenAmounts, type TokenReading } from './token-amounts.ts'

/**
 * The balances at slot `through`, or read soon after it: an account with the same balance later had no net change in
 * between.
 */
interface LastRead {
  readonly through: number
  readonly amounts: ReadonlyMap<string, TokenReading>
  /** Amounts that no transaction explained; their wallets were compared with the chain. */
  readonly unexplained: ReadonlyMap<string, bigint>
}

const NOTHING_READ: LastRead = { through: -1, amounts: new Map(), unexplained: new Map() }

/** A block with the transactions of it that a round found. */
interface ReturnedBlock {
  readonly block: SvmBlock
  /** The accounts whose every transaction is among these; of others, the block may lack a later change. */
  readonly complete: ReadonlySet<string>
}

export function createWalletActivity(parts: Pick<SolanaContext, 'rpc' | 'blocks' | 'clock'>): {
  activity: WalletActivity
  history: BalanceHistory
} {
  const accountIndex = createTokenAccountIndex()
  const returned = new Map<number, ReturnedBlock>()
  let lastRead: LastRead = NOTHING_READ
  const lateLists = createLateLists(parts.clock)

  async function finalizedBlocks(tracked: TrackedAccounts, after: number, upTo: number): Promise<FinalizedActivity> {
    const accounts = await accountIndex.accountsOf(tracked)
    const readings = await readTokenAmounts(parts, accounts, upTo)
    const minSlot = readings.reduce((highest, { slot }) => Math.max(highest, slot), upTo)
    const { amounts: before, unexplained } = lastRead.through === after ? lastRead : NOTHING_READ
    const changed = readings.filter(({ account, amount }) => before.get(account)?.amount !== amount)
    const search = createSignatureSearch(parts, { after, upTo, atLeast: minSlot })
    let toSearch = [...changed.map(({ account }) => account), ...tracked.senders]
    while (toSearch.length > 0) {
      const found = await search.askFor(toSearch)
      const touched = found.flatMap(({ tokens }) => tokens.filter((one) => one.before !== one.after))
      // An account in any returned transaction is returned in full: another transaction may have undone the change.
      toSearch = [...new Set(touched.map(({ account }) => account))].filter(
        (account) => accountIndex.ownerOf(account) !== undefined && !search.wasAsked(account),
      )
    }
    const timelines = await search.timelines(readings, before)
    const lacking = search.lacking()
    const judged = timelines.map((timeline) => ({
      ...timeline,
      explanation: lacking.has(timeline.account) ? ('contradicted' as const) : explain(timeline),
    }))
    // Compared once: an amount that stays unexplained is older than what the node has.
    const isNew = (account: string, amount: bigint) => lacking.has(account) || unexplained.get(account) !== amount
    const contradicted = judged.filter(
      ({ account, amount, explanation }) => explanation === 'contradicted' && isNew(account, amount),
    )
    lateLists.waitFor(
      [
        ...[...lacking].map((address) => `no node has a listed transaction of ${address}`),
        ...contradicted.map(({ account }) => `no transaction explains the balance of ${account}`),
      ],
      after,
    )
    const unclear = new Map(
      judged.flatMap(({ account, amount, explanation }) => (explanation === 'explained' ? [] : [[account, amount]])),
    )
    const fresh = new Set([
      ...lacking,
      ...[...unclear].flatMap(([account, amount]) => (isNew(account, amount) ? [account] : [])),
    ])
    const blocks = await fetchBlocksOf(parts, search.found())
    const complete = new Set(
      judged.flatMap(({ account, explanation }) => (explanation === 'explained' ? [account] : [])),
    )
    for (const block of blocks) remember({ block, complete })
    // Changes after `upTo` belong to the next round; until then those accounts count as unread.
    const settledNow = readings.filter(
      ({ account }) => !search.isIncomplete(account) && (search.newest(account) ?? 0) <= upTo && !fresh.has(account),
    )
    const amounts = new Map(settledNow.map((reading) => [reading.account, reading]))
    lastRead = { through: upTo, amounts, unexplained: unclear }
    const incomplete = [...search.incomplete(), ...fresh].map((address) => accountIndex.ownerOf(address) ?? address)
    return { blocks, incomplete: [...new Set(incomplete)] }
  }

  async function pendingBlocks(senders: readonly string[], after: number): Promise<SvmBlock[]> {
    const lists = await signaturesAfter(parts, senders, after, { commitment: 'confirmed', minContextSlot: after })
    const mentions = unique(lists.flatMap((list) => list.after ?? []))
    return fetchBlocksOf(parts, await fetchTransactions(parts, mentions, 'confirmed'))
  }

  function remember(one: ReturnedBlock): void {
    returned.set(one.block.number, one)
    if (returned.size > SOLANA_ACTIVITY_BLOCKS_CACHED_MAX) returned.delete(returned.keys().next().value!)
  }

  const history: BalanceHistory = {
    async balancesAfter(slot, accounts) {
      const known = returned.get(slot)
      return accounts.map((account) => (known?.complete.has(account) ? balanceAfter(known.block, account) : undefined))
    },
    async balanceBefore(account, after, upTo) {
      const options = { commitment: FINALIZED, minContextSlot: upTo }
      const mentions = (await signaturesAfter(parts, [account], after, options))[0]?.after
      if (!mentions)
        throw new PastStateMissingError('getSignaturesForAddress', `${account} has too many transactions since then`)
      for (const mention of mentions.filter(({ slot }) => slot <= upTo)) {
        const [found] = await fetchTransactions(parts, [mention], FINALIZED)
        const before = found && balanceBefore({ transactions: [found] }, account)
        if (before !== undefined) return before
      }
      return undefined
    },
  }
  const activity: WalletActivity = {
    finalizedBlocks,
    pendingBlocks,
    findUnexplained: (query) => findUnexplained(parts, query),
  }
  return { activity, history }
}

/** The search for transactions of one round, which continues from those it found. */
function createSignatureSearch(
  parts: Pick<SolanaContext, 'rpc'>,
  { after, upTo, atLeast: minContextSlot }: { after: number; upTo: number; atLeast: number },
) {
  const lists = new Map<string, SignatureHistory>()
  const incomplete = new Set<string>()
  const found = new Map<string, SvmIncludedTransaction>()
  const missing = new Set<string>()
  return {
    wasAsked: (address: string) => lists.has(address),
    /**
     * The slot of the last transaction that mentions an address; `undefined` if there is none, or it was not searched.
     */
    newest: (address: string) => lists.get(address)?.after?.at(-1)?.slot,
    /** The addresses with too many transactions; nothing was read of them. */
    incomplete: () => [...incomplete],
    isIncomplete: (address: string) => incomplete.has(address),
    /** The addresses that a transaction mentions which nodes list and do not have. */
    lacking(): ReadonlySet<string> {
      const isMissing = ({ signature }: SignatureInfo) => missing.has(signature)
      return new Set([...lists].flatMap(([address, list]) => (list.after?.some(isMissing) ? [address] : [])))
    },
    found: () => [...found.values()],
    /** Of each account that was searched in full. What it held is read from its last transaction if it is not in `before`. */
    timelines(
      readings: readonly TokenReading[],
      before: ReadonlyMap<string, TokenReading>,
    ): Promise<AccountTimeline[]> {
      const searched = readings.filter(({ account }) => lists.get(account)?.after)
      return inBatches(searched, async ({ account, amount }) => {
        const { after: mentions = [], older } = lists.get(account)!
        const last = before.get(account)
        // It was read at a later slot than the search begins at, and may contain the first of these transactions.
        const known = last && mentions.every(({ slot }) => slot > last.slot) ? last.amount : undefined
        return {
          account,
          amount,
          before: known ?? (older && (await fetchBalanceAfter(parts, older, account))),
          transactions: mentions.filter(({ slot }) => slot <= upTo).map(({ signature }) => found.get(signature)),
          goesOn: mentions.some(({ slot }) => slot > upTo),
        }
      })
    },
    /** The transactions that mention these addresses and were not found before. */
    async askFor(addresses: readonly string[]): Promise<readonly SvmIncludedTransaction[]> {
      const listed = await signaturesAfter(parts, addresses, after, { commitment: FINALIZED, minContextSlot })
      for (const [index, list] of listed.entries()) {
        lists.set(addresses[index]!, list)
        if (!list.after) incomplete.add(addresses[index]!)
      }
      const fresh = unique(listed.flatMap((list) => list.after ?? [])).filter(
        ({ slot, signature }) => slot <= upTo && !found.has(signature),
      )
      const read = await fetchListed(parts, fresh, FINALIZED)
      for (const transaction of read.transactions) found.set(transaction.hash, transaction)
      for (const signature of read.missing) missing.add(signature)
      return read.transactions
    },
  }
}

function unique(mentions: readonly SignatureInfo[]): SignatureInfo[] {
  return [...new Map(mentions.map((mention) => [mention.signature, mention])).values()]
}

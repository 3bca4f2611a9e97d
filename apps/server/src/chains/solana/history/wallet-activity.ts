import { SOLANA_ACTIVITY_BLOCKS_CACHED_MAX } from '../../../kernel/index.ts'
import type { SvmBlock } from '../../port/families.ts'
import { PastStateMissingError } from '../../port/past-state-missing.ts'
import type { FinalizedActivity, TrackedAccounts, WalletActivity } from '../../port/wallet-activity.ts'
import type { BalanceHistory, TokenReading } from '../caches/balance-history.ts'
import { balanceAfter, balanceBefore } from '../caches/block-cache.ts'
import { createKeptReadings, type ReadRound } from '../caches/kept-readings.ts'
import { createLateLists } from '../caches/late-lists.ts'
import { createTokenAccountIndex } from '../caches/token-account-index.ts'
import { FINALIZED, type SolanaContext } from '../context.ts'
import { type AccountTimeline, explain, heldAfter } from './explain-balances.ts'
import { fetchBalanceAfter, fetchBlocksOf, fetchTransactions } from './fetch-transactions.ts'
import { findUnexplained } from './find-unexplained.ts'
import { createSignatureSearch, uniqueMentions } from './signature-search.ts'
import { signaturesAfter } from './signatures.ts'
import { readTokenAmounts } from './token-amounts.ts'

/**
 * The balances at slot `through`, or read soon after it: an account with the same balance later had no net change in
 * between.
 */
interface LastRead {
  readonly through: number
  readonly amounts: ReadonlyMap<string, TokenReading>
  /** Amounts at that slot, for accounts whose amount changed after it or whose lists lack what it was. */
  readonly held: ReadonlyMap<string, bigint>
  /** Amounts that no transaction explained; their wallets were compared with the chain. */
  readonly unexplained: ReadonlyMap<string, bigint>
}

const NOTHING_READ: LastRead = { through: -1, amounts: new Map(), held: new Map(), unexplained: new Map() }

/** A block, with those of its transactions that a round found. */
interface ReturnedBlock {
  readonly block: SvmBlock
  /** Accounts whose transactions are all listed here; for others, the block may lack a later change. */
  readonly complete: ReadonlySet<string>
}

type SignatureSearch = ReturnType<typeof createSignatureSearch>

/** What the lists say about the time up to a round's slot. */
interface ExaminedRound extends ReadRound {
  /** The accounts whose every transaction up to the slot is known, with what they held after it, as far as that is. */
  readonly explained: ReadonlyMap<string, bigint | undefined>
  /** The amounts of the other accounts that were searched. */
  readonly unclear: ReadonlyMap<string, bigint>
  /** The addresses whose wallets have to be compared with the chain if the round is settled. */
  readonly fresh: ReadonlySet<string>
  /** What is missing, in words; empty: the round can be settled. */
  readonly late: readonly string[]
}

export function createWalletActivity(parts: Pick<SolanaContext, 'rpc' | 'blocks' | 'clock'>): {
  activity: WalletActivity
  history: BalanceHistory
} {
  const accountIndex = createTokenAccountIndex()
  const returned = new Map<number, ReturnedBlock>()
  let lastRead: LastRead = NOTHING_READ
  const keptReadings = createKeptReadings()
  const lateLists = createLateLists(parts.clock)

  async function finalizedBlocks(tracked: TrackedAccounts, after: number, upTo: number): Promise<FinalizedActivity> {
    const accounts = await accountIndex.accountsOf(tracked)
    const newest = { upTo, readings: await readTokenAmounts(parts, accounts, upTo) }
    const before = lastRead.through === after ? lastRead : NOTHING_READ
    const search = createSignatureSearch(parts, {
      after,
      upTo,
      atLeast: newest.readings.reduce((highest, { slot }) => Math.max(highest, slot), upTo),
      isTokenAccount: (address) => accountIndex.ownerOf(address) !== undefined,
    })
    const rounds = keptReadings.rounds(accounts, after, newest)
    const examined = await examineRounds(rounds, (round) =>
      examine(search, round, { before, senders: tracked.senders }),
    )
    lateLists.waitFor(examined.late, after)
    return settle(search, examined)
  }

  async function examine(
    search: SignatureSearch,
    { upTo, readings }: ReadRound,
    { before, senders }: { readonly before: LastRead; readonly senders: readonly string[] },
  ): Promise<ExaminedRound> {
    const changed = readings.filter(({ account, amount }) => before.amounts.get(account)?.amount !== amount)
    let toSearch = [...changed.map(({ account }) => account), ...senders].filter((address) => !search.wasAsked(address))
    while (toSearch.length > 0) {
      await search.askFor(toSearch)
      const touched = search.found(upTo).flatMap(({ tokens }) => tokens.filter((one) => one.before !== one.after))
      // An account in any returned transaction is returned in full: another transaction may have undone the change.
      toSearch = [...new Set(touched.map(({ account }) => account))].filter(
        (account) => accountIndex.ownerOf(account) !== undefined && !search.wasAsked(account),
      )
    }
    const timelines = await search.timelines(upTo, readings, before.amounts)
    const lacking = search.lacking(upTo)
    const judged = timelines.map((timeline) => ({
      ...timeline,
      explanation:
        lacking.has(timeline.account) || timeline.isNextMissing ? ('contradicted' as const) : explain(timeline),
    }))
    const explained = judged.filter(({ explanation }) => explanation === 'explained')
    // Compared once: an amount that stays unexplained is older than what the node has.
    const isNew = ({ account, amount }: AccountTimeline) =>
      lacking.has(account) || before.unexplained.get(account) !== amount
    const unclear = judged.filter(({ explanation }) => explanation !== 'explained')
    const late = unclear.filter((one) => one.explanation === 'contradicted' && isNew(one))
    return {
      upTo,
      readings,
      explained: new Map(explained.map((timeline) => [timeline.account, heldAfter(timeline)])),
      unclear: new Map(unclear.map(({ account, amount }) => [account, amount])),
      fresh: new Set([...lacking, ...unclear.filter(isNew).map(({ account }) => account)]),
      late: [
        ...[...lacking].map((address) => `no node has a listed transaction of ${address}`),
        ...late.map(({ account }) => `no transaction explains the balance of ${account}`),
      ],
    }
  }

  async function settle(
    search: SignatureSearch,
    { upTo, readings, explained, unclear, fresh }: ExaminedRound,
  ): Promise<FinalizedActivity> {
    const blocks = await fetchBlocksOf(parts, search.found(upTo))
    const complete = new Set(explained.keys())
    for (const block of blocks) remember({ block, complete })
    // Changes after `upTo` belong to the next round; until then those accounts count as unread.
    const settledNow = readings.filter(
      ({ account }) => !search.isIncomplete(account) && (search.newest(account) ?? 0) <= upTo && !fresh.has(account),
    )
    const amounts = new Map(settledNow.map((reading) => [reading.account, reading]))
    const held = new Map(unclear)
    for (const [account, amount] of explained) if (amount !== undefined) held.set(account, amount)
    for (const { account, slot, amount } of readings)
      if (slot === upTo && search.isIncomplete(account)) held.set(account, amount)
    lastRead = { through: upTo, amounts, held, unexplained: unclear }
    const incomplete = [...search.incomplete(), ...fresh].map((address) => accountIndex.ownerOf(address) ?? address)
    return { through: upTo, blocks, incomplete: [...new Set(incomplete)] }
  }

  async function pendingBlocks(senders: readonly string[], after: number): Promise<SvmBlock[]> {
    const lists = await signaturesAfter(parts, senders, after, { commitment: 'confirmed', minContextSlot: after })
    const mentions = uniqueMentions(lists.flatMap((list) => list.after ?? []))
    return fetchBlocksOf(parts, await fetchTransactions(parts, mentions, 'confirmed'))
  }

  function remember(one: ReturnedBlock): void {
    returned.set(one.block.number, one)
    if (returned.size > SOLANA_ACTIVITY_BLOCKS_CACHED_MAX) returned.delete(returned.keys().next().value!)
  }

  /** What an account held after a slot, where the block of that slot or the last round says so. */
  function balanceAt(slot: number, account: string): bigint | undefined {
    const known = returned.get(slot)
    const inBlock = known?.complete.has(account) ? balanceAfter(known.block, account) : undefined
    if (inBlock !== undefined || lastRead.through !== slot) return inBlock
    return lastRead.held.get(account) ?? lastRead.amounts.get(account)?.amount
  }

  const history: BalanceHistory = {
    async balancesAfter(slot, accounts) {
      return accounts.map((account) => balanceAt(slot, account))
    },
    async balanceBefore({ account, slot, amount }, after) {
      const options = { commitment: FINALIZED, minContextSlot: slot }
      const [list] = await signaturesAfter(parts, [account], after, options)
      if (!list?.after)
        throw new PastStateMissingError('getSignaturesForAddress', `${account} has too many transactions since then`)
      for (const mention of list.after.filter((one) => one.slot <= slot)) {
        const [found] = await fetchTransactions(parts, [mention], FINALIZED)
        const before = found && balanceBefore({ transactions: [found] }, account)
        if (before !== undefined) return before
      }
      const left = list.older && (await fetchBalanceAfter(parts, list.older, account))
      if (left !== undefined && left !== amount)
        throw new PastStateMissingError('getSignaturesForAddress', `a transaction of ${account} is not listed yet`)
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

/** The newest round that the lists explain; the newest one if they explain none. */
async function examineRounds(
  rounds: Iterable<ReadRound>,
  examine: (round: ReadRound) => Promise<ExaminedRound>,
): Promise<ExaminedRound> {
  let newest: ExaminedRound | undefined
  for (const round of rounds) {
    const examined = await examine(round)
    if (examined.late.length === 0) return examined
    newest ??= examined
  }
  return newest!
}

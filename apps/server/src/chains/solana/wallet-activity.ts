import type { SvmIncludedTransaction } from '../port/chain.ts'
import type { SvmBlock } from '../port/families.ts'
import { requestRejected } from '../rpc/rpc.ts'
import { readAccounts } from './accounts.ts'
import type { BalanceHistory } from './balance-history.ts'
import { TOKEN_AMOUNT_OFFSET } from './balances.ts'
import { balanceAfter, balanceBefore } from './block-cache.ts'
import { FINALIZED, type SolanaContext } from './context.ts'
import { fetchBlocksOf, fetchTransactions } from './fetch-transactions.ts'
import { type SignatureInfo, signaturesAfter } from './signatures.ts'
import { createTokenAccountIndex } from './token-account-index.ts'

/** Whom an activity is about: only of wallets and their token accounts is anything found. */
export interface TrackedAccounts {
  readonly wallets: readonly string[]
  /** Those of the wallets that transactions of ours may land for. */
  readonly senders: readonly string[]
  /** Mints: tokens, and shares among them. */
  readonly tokens: readonly string[]
}

/**
 * What happened to known wallets on a cluster whose blocks are too large to be read one after the other. It is asked
 * account by account; the number of HTTP calls does not grow with the slots that passed.
 *
 * A block that is told holds the transactions of the wallets in it, in their order: every one of those that changed one
 * of their token accounts, and every one of the senders'. Left out is only what changed an account and changed it back
 * while no transaction that is told touched it: it left nothing to be booked.
 */
export interface WalletActivity {
  /** Final blocks after one slot, up to another, oldest first. Throws CHAIN_UNAVAILABLE when one of them cannot be told. */
  finalizedBlocks(known: TrackedAccounts, after: number, upTo: number): Promise<SvmBlock[]>
  /** Blocks that are not final and hold transactions of these senders, oldest first. */
  pendingBlocks(senders: readonly string[], after: number): Promise<SvmBlock[]>
}

/** Blocks that were told a moment ago are asked again while they are settled. */
const CACHED_BLOCKS_MAX = 1_000

export function createWalletActivity(parts: Pick<SolanaContext, 'rpc' | 'blocks'>): {
  activity: WalletActivity
  history: BalanceHistory
} {
  const book = createTokenAccountIndex()
  const told = new Map<number, SvmBlock>()
  /** What the accounts held at slot `through`: one that holds the same later did not change in between, on the whole. */
  let seen = { through: -1, amounts: new Map<string, bigint>() }

  async function finalizedBlocks(known: TrackedAccounts, after: number, upTo: number): Promise<SvmBlock[]> {
    const accounts = await book.accountsOf(known)
    const readings = await readAmounts(accounts, upTo)
    const atLeast = readings.reduce((most, { slot }) => Math.max(most, slot), upTo)
    const before = seen.through === after ? seen.amounts : new Map<string, bigint>()
    const changed = readings.filter(({ account, amount }) => before.get(account) !== amount)
    const search = createSignatureSearch(parts, { after, upTo, atLeast })
    let toAsk = [...changed.map(({ account }) => account), ...known.senders]
    while (toAsk.length > 0) {
      const found = await search.askFor(toAsk)
      const touched = found.flatMap(({ tokens }) => tokens.filter((one) => one.before !== one.after))
      // Whoever is told of at all is told of in full: what one transaction took another may have brought back.
      toAsk = [...new Set(touched.map(({ account }) => account))].filter(
        (account) => book.has(account) && !search.wasAsked(account),
      )
    }
    for (const { account } of changed) {
      if (before.has(account) && search.newest(account) === undefined) {
        throw requestRejected('getSignaturesForAddress', `nothing explains what ${account} holds`)
      }
    }
    const blocks = await fetchBlocksOf(parts, search.found())
    for (const block of blocks) keep(block)
    // Of what changed after `upTo` the next time tells: until then it counts as not seen.
    const settledNow = readings.filter(({ account }) => (search.newest(account) ?? 0) <= upTo)
    seen = { through: upTo, amounts: new Map(settledNow.map(({ account, amount }) => [account, amount])) }
    return blocks
  }

  async function pendingBlocks(senders: readonly string[], after: number): Promise<SvmBlock[]> {
    const lists = await signaturesAfter(parts, senders, after, { commitment: 'confirmed', minContextSlot: after })
    return fetchBlocksOf(parts, await fetchTransactions(parts, unique(lists.flat()), 'confirmed'))
  }

  async function readAmounts(accounts: readonly string[], atLeast: number) {
    const options = { dataSlice: { offset: TOKEN_AMOUNT_OFFSET, length: 8 }, minContextSlot: atLeast }
    const readings = await readAccounts(parts, accounts, FINALIZED, options)
    return readings.map(({ slot, account: read }, index) => {
      if (slot < atLeast) throw requestRejected('getMultipleAccounts', `the node is at slot ${slot}, before ${atLeast}`)
      const amount = read === undefined || read.data.length < 8 ? 0n : read.data.readBigUInt64LE(0)
      return { account: accounts[index]!, slot, amount }
    })
  }

  function keep(block: SvmBlock): void {
    told.set(block.number, block)
    if (told.size > CACHED_BLOCKS_MAX) told.delete(told.keys().next().value!)
  }

  const history: BalanceHistory = {
    async balancesAfter(slot, accounts) {
      const block = told.get(slot)
      return accounts.map((account) => block && balanceAfter(block, account))
    },
    async balanceBefore(account, after, upTo) {
      const [mentions] = await signaturesAfter(parts, [account], after, { commitment: FINALIZED, minContextSlot: upTo })
      for (const mention of mentions!.filter(({ slot }) => slot <= upTo)) {
        const [found] = await fetchTransactions(parts, [mention], FINALIZED)
        const before = found && balanceBefore({ transactions: [found] }, account)
        if (before !== undefined) return before
      }
      return undefined
    },
  }
  return { activity: { finalizedBlocks, pendingBlocks }, history }
}

/** The look for transactions of one round, which goes on from those that it found. */
function createSignatureSearch(
  parts: Pick<SolanaContext, 'rpc'>,
  { after, upTo, atLeast: minContextSlot }: { after: number; upTo: number; atLeast: number },
) {
  const newest = new Map<string, number | undefined>()
  const found = new Map<string, SvmIncludedTransaction>()
  return {
    wasAsked: (address: string) => newest.has(address),
    /** The slot of the last transaction that names an address; `undefined` when there is none, or nobody asked. */
    newest: (address: string) => newest.get(address),
    found: () => [...found.values()],
    /** The transactions that name these addresses and were not found before. */
    async askFor(addresses: readonly string[]): Promise<SvmIncludedTransaction[]> {
      const lists = await signaturesAfter(parts, addresses, after, { commitment: FINALIZED, minContextSlot })
      for (const [index, mentions] of lists.entries()) newest.set(addresses[index]!, mentions.at(-1)?.slot)
      const fresh = unique(lists.flat()).filter(({ slot, signature }) => slot <= upTo && !found.has(signature))
      const transactions = await fetchTransactions(parts, fresh, FINALIZED)
      for (const transaction of transactions) found.set(transaction.hash, transaction)
      return transactions
    },
  }
}

function unique(mentions: readonly SignatureInfo[]): SignatureInfo[] {
  return [...new Map(mentions.map((mention) => [mention.signature, mention])).values()]
}

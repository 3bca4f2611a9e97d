import { sql } from 'kysely'
import { type BlockRef, type Chain, callFromJson, matchesPlan } from '../../../chains/index.ts'
import { inTransaction, runItems, unbatched } from '../../../database/index.ts'
import {
  addMilliseconds,
  BLOCKHASH_EXPIRY_BATCH,
  BLOCKHASH_MARGIN_BLOCKS,
  CLOCK_SKEW_MAX_MS,
  Failure,
  outageLogsBy,
  SEARCH_FAILURES_MAX,
} from '../../../kernel/index.ts'
import type { Parts } from '../../lifecycle/parts.ts'
import { lockOperation } from '../../lifecycle/reads/lock-operation.ts'
import { advanceTransaction } from '../../lifecycle/transitions/advance-transactions.ts'
import { failTransaction } from '../../lifecycle/transitions/fail-transaction.ts'
import { settlePastBlock } from '../blocks/settle-past-block.ts'
import { trackedTokens } from '../discovery/tracked-addresses.ts'

interface ExpiredRow {
  organization_id: number
  operation_id: number
  transaction_id: number
  sender: string
  call: Record<string, unknown>
  created_at: Date
  last_valid_block_height: number
  hashes: string[]
}

/** Where the search for a sender's transactions is, if it takes several rounds. */
interface SenderSearch {
  /** The transactions that it decides: those that had expired when it began. */
  readonly transactionIds: readonly number[]
  /** The final block when it began: no later block can include them. */
  readonly slot: number
  /** Bytes that a block of this height could not include are decided. */
  readonly height: number
  readonly since: Date
  readonly hashes: readonly string[]
  readonly continueBefore?: string
  /** How often reading failed in a row. */
  readonly failures: number
}

/** What a follower keeps between rounds. */
export interface ExpiryProgress {
  /** Rows of a page, and of one sender in it. */
  readonly pageSize: number
  /** The last sender of the previous page; `undefined` to begin with the first. */
  after: string | undefined
  readonly searches: Map<string, SenderSearch>
}

export function newExpiryProgress(pageSize = BLOCKHASH_EXPIRY_BATCH): ExpiryProgress {
  return { pageSize, after: undefined, searches: new Map() }
}

/**
 * Solana: marks bytes dead whose blockhash has expired, and fails the transactions that were submitted with them
 * (DROPPED). Bytes are dead when the last settled block is higher than the last that could include them, by a margin
 * for lists that nodes write late, none of the wallet's final transactions carries their memo, no node has seen a hash of
 * theirs in a block, and the lists explain what the wallet's token accounts hold (rule 1). A transaction that is found was
 * missed, and is settled now. A check that cannot be completed changes nothing and is repeated later. On other chains it
 * does nothing.
 *
 * A round takes the next page of expired bytes and reads a bounded part of each sender's transactions, because anyone
 * can mention an address a hundred thousand times: that search continues in later rounds, and delays nobody else. Throws
 * CHAIN_UNAVAILABLE if no sender's transactions could be read.
 */
export async function expireBlockhashes(
  parts: Parts,
  chain: Chain,
  final: Pick<BlockRef, 'number'>,
  progress: ExpiryProgress = newExpiryProgress(),
): Promise<void> {
  if (chain.replayProtection !== 'blockhash') return
  const finalHeight = (await chain.header(final.number))?.height
  if (finalHeight === undefined) return
  // Where blocks are read whole, none of their transactions can be missing in a list.
  const height = finalHeight - (chain.walletActivity ? BLOCKHASH_MARGIN_BLOCKS : 0)
  const rows = await nextPage(parts.db, chain.network.blockchain, height, progress)
  const unavailable: unknown[] = []
  const senders = [...Map.groupBy(rows, (row) => row.sender)]
  await runItems(parts, senders, {
    job: `expire blockhashes on ${chain.network.blockchain}`,
    keyOf: ([sender]) => sender,
    work: async ([sender, own]) => {
      try {
        const begun = begunSearch(progress, sender, own) ?? newSearch(own, { slot: final.number, height })
        progress.searches.set(sender, { ...begun, failures: begun.failures + 1 })
        const search = await continueSearch(chain, sender, begun, own)
        progress.searches.set(sender, search)
        if (search.continueBefore !== undefined) return
        await applySearch(parts, chain, own, search)
        progress.searches.delete(sender)
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'CHAIN_UNAVAILABLE') throw error
        unavailable.push(error)
      }
    },
  })
  if (unavailable.length > 0 && unavailable.length === senders.length) throw unavailable[0]
}

/**
 * Pages are of whole senders, as a search decides all transactions of its sender that it began with. Of one with more
 * rows than a page, the oldest: the next turn has the others.
 */
async function nextPage(
  db: Parts['db'],
  blockchain: string,
  height: number,
  progress: ExpiryProgress,
): Promise<ExpiredRow[]> {
  const { rows } = await sql<ExpiredRow>`
    select t.organization_id, t.operation_id, t.id as transaction_id, t.sender, t.call, o.created_at,
      t.last_valid_block_height,
      array(select h.tx_hash from transaction_hashes h
        where h.organization_id = t.organization_id and h.transaction_id = t.id) as hashes
    from transactions t join operations o on o.organization_id = t.organization_id and o.id = t.operation_id
    where t.blockchain = ${blockchain} and t.can_still_land and t.last_valid_block_height < ${height}
      and t.sender > ${progress.after ?? ''}
    order by t.sender, t.last_valid_block_height, t.id limit ${progress.pageSize}
  `.execute(db)
  const last = rows.at(-1)?.sender
  const isFull = rows.length === progress.pageSize
  const page = isFull && rows[0]!.sender !== last ? rows.filter(({ sender }) => sender !== last) : rows
  progress.after = isFull ? page.at(-1)!.sender : undefined
  return page
}

/** The search of an earlier round, unless it no longer concerns anything here, or a node cannot continue it. */
function begunSearch(
  { searches }: ExpiryProgress,
  sender: string,
  own: readonly ExpiredRow[],
): SenderSearch | undefined {
  const begun = searches.get(sender)
  const isOpen = own.some(({ transaction_id }) => begun?.transactionIds.includes(transaction_id))
  return begun && isOpen && begun.failures < SEARCH_FAILURES_MAX ? begun : undefined
}

async function continueSearch(
  chain: Chain,
  sender: string,
  search: SenderSearch,
  own: readonly ExpiredRow[],
): Promise<SenderSearch> {
  const { continueBefore, ...begun } = search
  const decided = own.filter(({ transaction_id }) => begun.transactionIds.includes(transaction_id))
  const found = await chain.findLanded(sender, begun.transactionIds, {
    slot: begun.slot,
    since: begun.since,
    sent: decided.flatMap(({ hashes }) => hashes),
    ...(continueBefore !== undefined && { continueBefore }),
  })
  return {
    ...begun,
    failures: 0,
    hashes: [...new Set([...begun.hashes, ...found.hashes])],
    ...(found.continueBefore !== undefined && { continueBefore: found.continueBefore }),
  }
}

function newSearch(
  own: readonly ExpiredRow[],
  { slot, height }: { readonly slot: number; readonly height: number },
): SenderSearch {
  const oldest = own.reduce((least, { created_at }) => (created_at < least ? created_at : least), own[0]!.created_at)
  const transactionIds = own.map(({ transaction_id }) => transaction_id)
  return { transactionIds, slot, height, since: addMilliseconds(oldest, -CLOCK_SKEW_MAX_MS), hashes: [], failures: 0 }
}

/**
 * Decides the transactions of a complete search. None that it did not find is dead while nodes lack another transaction
 * of the wallet: that one may be it. Error: CHAIN_UNAVAILABLE, while nodes lack the content of a transaction that they
 * list: it may be one of these.
 */
async function applySearch(
  parts: Parts,
  chain: Chain,
  own: readonly ExpiredRow[],
  search: SenderSearch,
): Promise<void> {
  const { transactionIds, slot, height, hashes } = search
  const lookups = await chain.findTransactions(hashes)
  const missing: ExpiredRow[] = []
  for (const row of own.filter(({ transaction_id }) => transactionIds.includes(transaction_id))) {
    const planned = { sender: row.sender, nonce: null, call: callFromJson(row.call) }
    const landed = lookups.find((lookup) => lookup && matchesPlan(planned, lookup))
    if (landed === undefined) missing.push(row)
    // The follower settles what is in a later block.
    else if (landed.blockNumber !== undefined && landed.blockNumber <= slot) await settlePastBlock(parts, chain, landed)
  }
  const unread = hashes.filter((_, index) => lookups[index] === undefined)
  if (unread.length > 0)
    throw new Failure('CHAIN_UNAVAILABLE', { cause: new Error(`no node has ${unread.join(', ')}`) })
  if (missing.length === 0 || (await isUnexplained(parts, chain, missing, search))) return
  for (const row of missing) await expireTransaction(parts, row, height)
}

const unexplainedOf = outageLogsBy({
  away: 'no listed transaction explains what a wallet holds; bytes of its that may have landed do not count as dead',
  back: 'listed transactions explain what a wallet holds',
})

/** Whether nodes lack a transaction of the wallet which may be one of these. */
async function isUnexplained(
  { db, log }: Parts,
  chain: Chain,
  missing: readonly ExpiredRow[],
  { slot, since }: SenderSearch,
): Promise<boolean> {
  if (!chain.walletActivity) return false
  const { blockchain } = chain.network
  const wallet = missing[0]!.sender
  const lastHeight = missing.reduce((last, row) => Math.max(last, row.last_valid_block_height), 0)
  const tokens = await trackedTokens(db, chain)
  const accounts = await chain.walletActivity.findUnexplained({ wallet, tokens, since, lastHeight, slot })
  const unexplained = unexplainedOf(chain, log)
  if (accounts.length === 0) unexplained.recovered({ blockchain, wallet })
  else unexplained.failed({ blockchain, wallet }, { reason: accounts.join(', ') })
  return accounts.length > 0
}

async function expireTransaction(parts: Parts, row: ExpiredRow, height: number): Promise<void> {
  await inTransaction(parts.db, async (tx) => {
    const at = parts.clock.now()
    const scope = { organizationId: row.organization_id, walletProfileId: null }
    const operation = await lockOperation(tx, scope, row.operation_id)
    const transaction = operation.transactions.find(({ transactionId }) => transactionId === row.transaction_id)
    // It may have new bytes or be in a block by now. The height is that of the page: either condition holds alone.
    if (!transaction?.canStillLand) return
    if (transaction.lastValidBlockHeight === null || transaction.lastValidBlockHeight >= height) return
    if (transaction.state === 'submitted') {
      const failure = { code: 'DROPPED', error: 'The blockhash expired before a block included the transaction.' }
      await failTransaction(unbatched(tx), {
        operation,
        transaction,
        change: { event: 'failed_for_good', failure },
        at,
      })
    } else if (transaction.state === 'issued' || transaction.state === 'outstanding') {
      await advanceTransaction(tx, operation, transaction, { event: 'bytes_died' })
    }
  })
}

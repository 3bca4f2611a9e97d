import { sql } from 'kysely'
import { batchedEffect, type Database, inTransaction, preparedQuery, type Tx } from '../../database/index.ts'
import type { Clock, Log } from '../../kernel/index.ts'
import { strategiesOnChain } from '../../venues/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import { accrueAllocations, type PriceReading } from './accrue-allocations.ts'
import { type AccrualPlace, accruePositions } from './accrue-positions.ts'
import { openAllocationFrom } from './allocation.ts'

/**
 * Saves the last block of a UTC day, with the prices at it, before a block of the next day is settled. From then on the
 * yield of each position up to it is posted, with the day's snapshot, after rounds that settle later blocks, or before a
 * later block moves the position. Does nothing if the day is saved already.
 */
export async function saveEndedDay(db: Database, blockchain: string, reading: PriceReading): Promise<void> {
  const prices = reading.prices.map(({ strategy, price, readAt }) => ({
    strategyId: strategy.id,
    price: price.toString(),
    ...(readAt && { readAt: readAt.toISOString() }),
  }))
  await inTransaction(db, (tx) =>
    tx
      .insertInto('ended_days')
      .values({
        blockchain,
        block_number: reading.blockNumber,
        block_hash: reading.blockHash,
        block_time: reading.chainTime,
        prices: JSON.stringify(prices),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
}

/** Prepared, because every settlement looks for them and nearly always finds none. */
const endedDays = preparedQuery('ended days', (db, place: (name: 'blockchain' | 'before') => never) =>
  db
    .selectFrom('ended_days')
    .selectAll()
    .where('blockchain', '=', place('blockchain'))
    .where('block_number', '<', place('before'))
    .orderBy('block_number'),
)

type EndedDayRow = Awaited<ReturnType<typeof endedDays>>[number]

async function readingsOf(
  db: Database | Tx,
  blockchain: string,
  days: readonly EndedDayRow[],
): Promise<readonly PriceReading[]> {
  if (days.length === 0) return []
  const strategies = new Map((await strategiesOnChain(db, blockchain)).map((strategy) => [strategy.id, strategy]))
  return days.map((day) => ({
    blockNumber: day.block_number,
    blockHash: day.block_hash,
    chainTime: day.block_time,
    prices: day.prices.flatMap(({ strategyId, price, readAt }) => {
      const strategy = strategies.get(strategyId)
      return strategy ? [{ strategy, price: BigInt(price), ...(readAt && { readAt: new Date(readAt) }) }] : []
    }),
  }))
}

interface PostingParts {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}

interface PostingStep {
  /** How many positions to post at most. */
  readonly limit: number
  readonly signal: AbortSignal
}

/**
 * Posts the yield of the next positions up to the ends of their days, the oldest day first. Returns whether more are
 * left. A process that takes over continues where this one ended.
 */
export async function postEndedDays(
  parts: PostingParts,
  blockchain: string,
  { limit, signal }: PostingStep,
): Promise<boolean> {
  let left = limit
  for (const day of await endedDays(parts.db, { blockchain, before: Number.MAX_SAFE_INTEGER })) {
    if (left <= 0 || signal.aborted) return true
    const [reading] = await readingsOf(parts.db, blockchain, [day])
    const { positions, next } = await accruePositions(parts, reading!, {
      snapshot: true,
      postedBefore: reading!.chainTime,
      after: placeOf(day),
      limit: left,
      signal,
    })
    await savePlace(parts.db, day, next)
    if (next) return true
    left -= positions
  }
  return false
}

const placeOf = ({ strategy_id, wallet_id }: EndedDayRow): AccrualPlace | undefined =>
  strategy_id === null || wallet_id === null ? undefined : { strategyId: strategy_id, walletId: wallet_id }

/** Where posting continues; nowhere: the day is done. */
async function savePlace(
  db: Database,
  { blockchain, block_number }: EndedDayRow,
  place: AccrualPlace | undefined,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const isDay = sql<boolean>`blockchain = ${blockchain} and block_number = ${block_number}`
    if (!place) return void (await tx.deleteFrom('ended_days').where(isDay).execute())
    const { strategyId: strategy_id, walletId: wallet_id } = place
    await tx.updateTable('ended_days').set({ strategy_id, wallet_id }).where(isDay).execute()
  })
}

interface MovedWallet {
  readonly wallet: Pick<Wallet, 'organizationId' | 'walletId' | 'blockchain'>
  /** The block that moves it. */
  readonly block: { readonly number: number }
  readonly at: Date
}

/**
 * Posts the yield of the wallets' positions up to the days that ended before the block of each, in the transaction in
 * which that block moves them: yield belongs to the day in which it was earned. The caller holds the wallets' locks. One
 * statement while no day has ended. All wallets are of one chain.
 */
async function postEndedDaysOf(tx: Tx, moved: readonly MovedWallet[]): Promise<void> {
  const [{ wallet, at }] = moved as [MovedWallet]
  const last = Math.max(...moved.map(({ block }) => block.number))
  const days = await endedDays(tx, { blockchain: wallet.blockchain, before: last })
  for (const reading of await readingsOf(tx, wallet.blockchain, days)) {
    const wallets = moved.filter(({ block }) => block.number > reading.blockNumber).map((each) => each.wallet)
    const rows = await tx
      .selectFrom('allocations')
      .selectAll()
      .where(
        sql<boolean>`(organization_id, wallet_id) in (select * from unnest(
          ${wallets.map(({ organizationId }) => organizationId)}::bigint[],
          ${wallets.map(({ walletId }) => walletId)}::bigint[]))`,
      )
      .where('status', '<>', 'CLOSED')
      .where('posted_at', '<=', reading.chainTime)
      .execute()
    await accrueAllocations(tx, rows.map(openAllocationFrom), { reading, snapshot: true, at })
  }
}

/** The same for one of several works on wallets that one block moves. */
export const POST_ENDED_DAYS = batchedEffect<MovedWallet>(postEndedDaysOf)

/** Whether yield up to the end of a day is still being posted. */
export async function hasEndedDays(db: Database, blockchain: string): Promise<boolean> {
  return (await endedDays(db, { blockchain, before: Number.MAX_SAFE_INTEGER })).length > 0
}

/** Forgets the ended days of a chain that lost their blocks. */
export async function deleteEndedDays(tx: Tx, blockchain: string): Promise<void> {
  await tx.deleteFrom('ended_days').where('blockchain', '=', blockchain).execute()
}

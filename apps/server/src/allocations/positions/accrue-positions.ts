import { sql } from 'kysely'
import { type Database, inTransaction, runBatch, type Tx } from '../../database/index.ts'
import { ACCRUE_BATCH, type Clock, type Log } from '../../kernel/index.ts'
import { type LedgerEntry, post, postings } from '../../ledger/index.ts'
import { type Strategy, venueFor } from '../../venues/index.ts'
import { type Allocation, allocationFrom } from './allocation.ts'
import { accrue, type Position } from './position.ts'
import { updateAllocation } from './write-allocation.ts'

/** Prices of one chain's strategies, read at one block. */
export interface PriceReading {
  readonly blockNumber: number
  readonly chainTime: Date
  /** Distinguishes this block from one with the same number on an earlier development chain. */
  readonly blockHash: string
  readonly prices: readonly { strategy: Strategy; price: bigint }[]
}

/**
 * Posts the yield of every open position of these strategies since its last posting and, with `snapshot`, writes the
 * snapshot of the reading's day (UTC, by the chain's clock). Repeating it for the same block does nothing. Positions
 * posted after `postedBefore` are left for the next run.
 *
 * A position that cannot be posted is logged and left out; the others, and the chain, continue.
 */
export async function accruePositions(
  parts: { readonly db: Database; readonly clock: Clock; readonly log: Log },
  reading: PriceReading,
  options: AccrualOptions,
): Promise<void> {
  for (const { strategy, price } of reading.prices) {
    const accrual = { clock: parts.clock, strategy, price, reading, options }
    for (let after = 0, isLast = false; !isLast; ) {
      const page = await walletsToAccrue(parts.db, strategy, after, options)
      const post = (wallets: readonly number[]) =>
        inTransaction(parts.db, (tx) => accrueWallets(tx, { ...accrual, wallets }))
      await runBatch(parts, page, {
        job: `accrue ${strategy.key}`,
        keyOf: String,
        together: post,
        work: (wallet) => post([wallet]),
      })
      isLast = page.length < ACCRUE_BATCH
      after = page.at(-1) ?? after
    }
  }
}

interface AccrualOptions {
  readonly snapshot: boolean
  readonly postedBefore: Date
}

async function walletsToAccrue(
  db: Database,
  strategy: Strategy,
  after: number,
  { postedBefore }: AccrualOptions,
): Promise<number[]> {
  const rows = await db
    .selectFrom('allocations')
    .select('wallet_id')
    .where('strategy_id', '=', strategy.id)
    .where('status', '<>', 'CLOSED')
    .where('wallet_id', '>', after)
    .where('posted_at', '<=', postedBefore)
    .orderBy('wallet_id')
    .limit(ACCRUE_BATCH)
    .execute()
  return rows.map(({ wallet_id }) => wallet_id)
}

interface Accrual {
  readonly clock: Clock
  readonly strategy: Strategy
  readonly price: bigint
  readonly reading: PriceReading
  readonly wallets: readonly number[]
  readonly options: AccrualOptions
}

async function accrueWallets(
  tx: Tx,
  { clock, strategy, price, reading, wallets: ids, options }: Accrual,
): Promise<void> {
  // Locked in wallet order, like every lock of the settlement, so that nothing deadlocks.
  const wallets = await tx
    .selectFrom('wallets')
    .select(['organization_id', 'id'])
    // The holdings of a quarantined wallet are uncertain: its yield is posted once it has caught up.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('quarantined_wallets')
            .select('quarantined_wallets.wallet_id')
            .whereRef('quarantined_wallets.organization_id', '=', 'wallets.organization_id')
            .whereRef('quarantined_wallets.wallet_id', '=', 'wallets.id'),
        ),
      ),
    )
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (wallets.length === 0) return
  const rows = await tx
    .selectFrom('allocations')
    .selectAll()
    .where('strategy_id', '=', strategy.id)
    .where('status', '<>', 'CLOSED')
    .where('wallet_id', '=', sql<number>`any(${wallets.map(({ id }) => id)}::bigint[])`)
    .execute()
  const entries: LedgerEntry[] = []
  for (const allocation of rows.map(allocationFrom)) {
    // A settlement may have posted a later block meanwhile: time never runs backwards in the ledger.
    if (allocation.postedAt > reading.chainTime) continue
    // Already posted at this block, perhaps by a run that crashed halfway and read another price.
    if (allocation.postedAt.getTime() === reading.chainTime.getTime()) {
      if (options.snapshot) await writeSnapshot(tx, allocation, allocation.position, reading.chainTime)
      continue
    }
    const accrued = accrue(allocation.position, price, venueFor(strategy.protocol).valueOf)
    entries.push(yieldEntry(allocation, { strategy, earned: accrued.yield, reading, at: clock.now() }))
    const posted = { posted_value: accrued.position.value, posted_price: price, posted_at: reading.chainTime }
    await updateAllocation(tx, allocation, { ...posted, updated_at: clock.now() }, undefined)
    if (options.snapshot) await writeSnapshot(tx, allocation, accrued.position, reading.chainTime)
  }
  await post(tx, entries)
}

interface EarnedYield {
  readonly strategy: Strategy
  readonly earned: bigint
  readonly reading: { blockNumber: number; blockHash: string }
  readonly at: Date
}

/** The entry that posts a position's yield up to one block. */
function yieldEntry(allocation: Allocation, { strategy, earned, reading, at }: EarnedYield): LedgerEntry {
  return {
    organizationId: allocation.organizationId,
    kind: 'yield',
    source: `yield:${allocation.allocationId}:${reading.blockHash}`,
    blockNumber: reading.blockNumber,
    at,
    postings: postings(allocation.walletId, strategy.tokenAddress, { deployed: earned, yield: -earned }),
  }
}

async function writeSnapshot(tx: Tx, allocation: Allocation, position: Position, chainTime: Date): Promise<void> {
  const day = chainTime.toISOString().slice(0, 10)
  const cumulative = position.realizedYield + position.value - position.principal
  const before = await tx
    .selectFrom('yield_snapshots')
    .select('cumulative_yield')
    .where('organization_id', '=', allocation.organizationId)
    .where('allocation_id', '=', allocation.allocationId)
    .where('day', '<', day)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()
  const row = {
    value: position.value,
    principal: position.principal,
    yield: cumulative - (before?.cumulative_yield ?? 0n),
    cumulative_yield: cumulative,
  }
  await tx
    .insertInto('yield_snapshots')
    .values({ organization_id: allocation.organizationId, allocation_id: allocation.allocationId, day, ...row })
    .onConflict((conflict) => conflict.columns(['organization_id', 'allocation_id', 'day']).doUpdateSet(row))
    .execute()
}

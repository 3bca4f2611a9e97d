import { sql } from 'kysely'
import { type Database, inTransaction, runBatch, type Tx } from '../../database/index.ts'
import { ACCRUE_BATCH, type Clock, type Log } from '../../kernel/index.ts'
import { type LedgerEntry, post, postings } from '../../ledger/index.ts'
import { type Strategy, venueFor } from '../../venues/index.ts'
import { type OpenAllocation, openAllocationFrom } from './allocation.ts'
import { emitLossesAndFees, type LossAndFee, lossAndFeeEntries } from './losses-and-fees.ts'
import { accrue, lossIn, type Position } from './position.ts'
import { updateAllocations } from './write-allocation.ts'
import { writeDailySnapshots } from './write-daily-snapshots.ts'

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
 * posted after `postedBefore` are left for the next run. Five statements for 200 positions, six with snapshots.
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
  const at = clock.now()
  // A settlement may have posted a later block meanwhile: time never runs backwards in the ledger.
  const due = rows.map(openAllocationFrom).filter(({ postedAt }) => postedAt <= reading.chainTime)
  // Already posted at this block, perhaps by a run that crashed halfway and read another price.
  const [posted, open] = [due.filter(isPostedAt(reading)), due.filter((allocation) => !isPostedAt(reading)(allocation))]
  const accrued = open.map((allocation) => ({
    allocation,
    ...accrue(allocation.position, price, venueFor(strategy.protocol).valueOf),
  }))
  await updateAllocations(
    tx,
    accrued.map(({ allocation, position }) => ({
      allocation,
      amounts: {
        shares: position.shares,
        principal: position.principal,
        posted_value: position.value,
        posted_price: position.price,
        posted_at: reading.chainTime,
        realized_yield: position.realizedYield,
        updated_at: at,
      },
    })),
  )
  if (options.snapshot) await writeDailySnapshots(tx, [...posted, ...accrued.map(asAccrued)], reading.chainTime)
  const lost = accrued.map(({ allocation, position, yield: earned }): LossAndFee => {
    const { organizationId, walletId, allocationId } = allocation
    const loss = lossIn(earned, allocation.position.value)
    const place = { organizationId, walletId, strategyId: strategy.id, tokenAddress: strategy.tokenAddress }
    const { blockNumber, blockHash: cause } = reading
    return { ...place, allocationId, position, loss, fee: 0n, blockNumber, cause, at }
  })
  await post(
    tx,
    accrued.flatMap(({ allocation, yield: earned }, index) => [
      yieldEntry(allocation, { strategy, earned: earned + lost[index]!.loss, reading, at }),
      ...lossAndFeeEntries(lost[index]!),
    ]),
  )
  await emitLossesAndFees(tx, lost)
}

const isPostedAt =
  ({ chainTime }: PriceReading) =>
  ({ postedAt }: OpenAllocation): boolean =>
    postedAt.getTime() === chainTime.getTime()

const asAccrued = ({ allocation, position }: { allocation: OpenAllocation; position: Position }): OpenAllocation => {
  return { ...allocation, position }
}

interface EarnedYield {
  readonly strategy: Strategy
  readonly earned: bigint
  readonly reading: { blockNumber: number; blockHash: string }
  readonly at: Date
}

/** The entry that posts a position's yield up to one block. */
function yieldEntry(allocation: OpenAllocation, { strategy, earned, reading, at }: EarnedYield): LedgerEntry {
  return {
    organizationId: allocation.organizationId,
    kind: 'yield',
    source: `yield:${allocation.allocationId}:${reading.blockHash}`,
    blockNumber: reading.blockNumber,
    at,
    postings: postings(allocation.walletId, strategy.tokenAddress, { deployed: earned, yield: -earned }),
  }
}

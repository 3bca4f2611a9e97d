import type { Tx } from '../../database/index.ts'
import { type LedgerEntry, post, postings } from '../../ledger/index.ts'
import { type Strategy, venueFor } from '../../venues/index.ts'
import type { OpenAllocation } from './allocation.ts'
import { emitLossesAndFees, type LossAndFee, lossAndFeeEntries } from './losses-and-fees.ts'
import { accrue, lossIn, type Position } from './position.ts'
import { updateAllocations } from './write-allocation.ts'
import { writeDailySnapshots } from './write-daily-snapshots.ts'

interface StrategyPrice {
  readonly strategy: Strategy
  readonly price: bigint
  /** The time of a later block, because no node kept the state of the reading's own. */
  readonly readAt?: Date | undefined
}

/** Prices of one chain's strategies, read at one block. */
export interface PriceReading {
  readonly blockNumber: number
  readonly chainTime: Date
  /** Distinguishes this block from one with the same number on an earlier development chain. */
  readonly blockHash: string
  readonly prices: readonly StrategyPrice[]
}

interface Accrual {
  readonly reading: PriceReading
  /** Whether to write the snapshot of the reading's day (UTC, by the chain's clock). */
  readonly snapshot: boolean
  readonly at: Date
}

/**
 * Posts the yield of these open positions up to a reading. Does nothing to positions that were posted at a later one, or
 * whose strategy has no price in it; repeating it for the same block does nothing. The caller holds the wallets' locks
 * and has read the positions under them. Four statements, however many positions and strategies there are.
 */
export async function accrueAllocations(
  tx: Tx,
  allocations: readonly OpenAllocation[],
  { reading, snapshot, at }: Accrual,
): Promise<void> {
  const read = new Map(reading.prices.map((each) => [each.strategy.id, each]))
  // A settlement may have posted a later block meanwhile: time never runs backwards in the ledger.
  const due = allocations.flatMap((allocation) => {
    const found = read.get(allocation.strategyId)
    return found && allocation.postedAt <= reading.chainTime ? [{ allocation, ...found }] : []
  })
  if (due.length === 0) return
  // Already posted at this block, perhaps by a run that crashed halfway and read another price.
  const isPosted = ({ allocation }: { allocation: OpenAllocation }) =>
    allocation.postedAt.getTime() === reading.chainTime.getTime()
  const posted = due.filter(isPosted).map(({ allocation }) => allocation)
  const accrued = due
    .filter((one) => !isPosted(one))
    .map(({ allocation, strategy, price, readAt }) => ({
      allocation,
      strategy,
      // A price of a later block is never taken for an earlier one: a settlement in between would find that it fell.
      postedAt: readAt ?? reading.chainTime,
      ...accrue(allocation.position, price, venueFor(strategy.protocol).valueOf),
    }))
  await updateAllocations(
    tx,
    accrued.map(({ allocation, position, postedAt }) => ({
      allocation,
      amounts: {
        shares: position.shares,
        principal: position.principal,
        posted_value: position.value,
        posted_price: position.price,
        posted_at: postedAt,
        realized_yield: position.realizedYield,
        updated_at: at,
      },
    })),
  )
  if (snapshot) await writeDailySnapshots(tx, [...posted, ...accrued.map(asAccrued)], reading.chainTime)
  const lost = accrued.map(({ allocation, strategy, position, yield: earned }): LossAndFee => {
    const { organizationId, walletId, allocationId } = allocation
    const loss = lossIn(earned, allocation.position.value)
    const place = { organizationId, walletId, strategyId: strategy.id, tokenAddress: strategy.tokenAddress }
    const { blockNumber, blockHash: cause } = reading
    return { ...place, allocationId, position, loss, fee: 0n, blockNumber, cause, at }
  })
  await post(
    tx,
    accrued.flatMap(({ allocation, strategy, yield: earned }, index) => [
      yieldEntry(allocation, { strategy, earned: earned + lost[index]!.loss, reading, at }),
      ...lossAndFeeEntries(lost[index]!),
    ]),
  )
  await emitLossesAndFees(tx, lost)
}

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

import type { Tx } from '../../database/index.ts'
import { addReadings, payableTogether, readingsOf } from '../../venues/index.ts'
import { positionPages } from '../positions/position-pages.ts'
import { presentValue } from '../positions/present-value.ts'
import { withdrawableOf } from '../positions/withdrawable.ts'

/** What an organization has in one strategy. Base units. */
export interface Exposure {
  readonly strategyId: number
  readonly blockchain: string
  readonly token: string
  readonly tokenAddress: string
  readonly tokenDecimals: number
  readonly value: bigint
  /** What its owners could certainly withdraw together, at the last readings. */
  readonly withdrawable: bigint
  /** Value of the positions whose withdrawable amount is not read. */
  readonly unread: bigint
  /** What each owner could withdraw alone, but not all of them together, as far as anybody knows. */
  readonly shared: bigint
  /** How long a withdrawal waits after its request; `null`: not at all, or it is not known. */
  readonly cooldownSeconds: number | null
}

/** The open positions of an organization, summed by strategy, in the order of its ids. */
export async function readExposures(tx: Tx, organizationId: number): Promise<Exposure[]> {
  const sums = new Map<number, Sums>()
  for await (const page of positionPages((after, limit) => openPositions(tx, organizationId, { after, limit }))) {
    for (const [strategyId, rows] of Map.groupBy(page, (row) => row.strategy_id)) {
      const found = sumsOf(rows)
      const sum = sums.get(strategyId)
      sums.set(strategyId, sum ? addSums(sum, found) : found)
    }
  }
  return [...sums.values()].sort((a, b) => a.strategy.strategy_id - b.strategy.strategy_id).map(exposureOf)
}

type Row = Awaited<ReturnType<typeof openPositions>>[number]

/** Of positions in one strategy. */
interface Sums {
  readonly strategy: Row
  readonly value: bigint
  readonly unread: bigint
  readonly alone: ReturnType<typeof readingsOf>
}

function sumsOf(rows: readonly Row[]): Sums {
  const readings = rows.map((row) => {
    const { value } = presentValue(row)
    return { value, withdrawable: withdrawableOf(row, value)?.amount ?? null }
  })
  return {
    strategy: rows[0]!,
    value: sum(readings.map(({ value }) => value)),
    unread: sum(readings.filter(({ withdrawable }) => withdrawable === null).map(({ value }) => value)),
    alone: readingsOf(
      readings.flatMap(({ value, withdrawable }) => (withdrawable === null ? [] : [{ value, withdrawable }])),
    ),
  }
}

const addSums = (a: Sums, b: Sums): Sums => ({
  strategy: a.strategy,
  value: a.value + b.value,
  unread: a.unread + b.unread,
  alone: addReadings(a.alone, b.alone),
})

function exposureOf({ strategy, value, unread, alone }: Sums): Exposure {
  const { certain } = payableTogether(alone, strategy)
  return {
    strategyId: strategy.strategy_id,
    blockchain: strategy.blockchain,
    token: strategy.token,
    tokenAddress: strategy.token_address,
    tokenDecimals: strategy.token_decimals,
    value,
    withdrawable: certain,
    unread,
    shared: alone.sum - certain,
    cooldownSeconds: strategy.cooldown_seconds || null,
  }
}

function openPositions(tx: Tx, organizationId: number, { after, limit }: { after: number; limit: number }) {
  return tx
    .selectFrom('allocations')
    .innerJoin('strategies', 'strategies.id', 'allocations.strategy_id')
    .select([
      'allocations.id',
      'allocations.shares',
      'allocations.posted_price',
      'allocations.posted_value',
      'allocations.posted_at',
      'allocations.withdrawable',
      'allocations.withdrawable_at',
      'strategies.id as strategy_id',
      'strategies.protocol',
      'strategies.price',
      'strategies.price_at',
      'strategies.liquidity',
      'strategies.params',
      'strategies.blockchain',
      'strategies.token',
      'strategies.token_address',
      'strategies.token_decimals',
      'strategies.cooldown_seconds',
    ])
    .where('allocations.organization_id', '=', organizationId)
    .where('allocations.status', 'in', ['ACTIVE', 'UNWINDING'])
    .where('allocations.id', '>', after)
    .orderBy('allocations.id')
    .limit(limit)
    .execute()
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

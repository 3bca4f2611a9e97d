import type { Database, Tx } from '../../database/index.ts'
import { payableTogether, readingsOf } from '../../venues/index.ts'
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

/** The open positions of an organization, summed by strategy. One statement. */
export async function readExposures(db: Database | Tx, organizationId: number): Promise<Exposure[]> {
  const rows = await db
    .selectFrom('allocations')
    .innerJoin('strategies', 'strategies.id', 'allocations.strategy_id')
    .select([
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
    .orderBy('strategies.id')
    .execute()
  return [...Map.groupBy(rows, (row) => row.strategy_id).values()].map((positions) => {
    const [first] = positions
    const readings = positions.map((row) => {
      const { value } = presentValue(row)
      return { value, withdrawable: withdrawableOf(row, value)?.amount ?? null }
    })
    const alone = readingsOf(
      readings.flatMap(({ value, withdrawable }) => (withdrawable === null ? [] : [{ value, withdrawable }])),
    )
    const { certain } = payableTogether(alone, first!)
    return {
      strategyId: first!.strategy_id,
      blockchain: first!.blockchain,
      token: first!.token,
      tokenAddress: first!.token_address,
      tokenDecimals: first!.token_decimals,
      value: sum(readings.map(({ value }) => value)),
      withdrawable: certain,
      unread: sum(readings.filter(({ withdrawable }) => withdrawable === null).map(({ value }) => value)),
      shared: alone.sum - certain,
      cooldownSeconds: first!.cooldown_seconds || null,
    }
  })
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

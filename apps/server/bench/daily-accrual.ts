import { sql } from 'kysely'
import { accruePositions } from '../src/allocations/index.ts'
import { PRICE_SCALE } from '../src/venues/erc4626/price.ts'
import { strategiesOnChain } from '../src/venues/index.ts'
import type { BenchDatabase } from './bench-environment.ts'

const DAY_MS = 86_400_000

/** Posts the yield and the snapshots of one more day, after the `days` that were seeded, each time it is called. */
export async function dailyAccrual({ parts }: BenchDatabase, days: number): Promise<() => Promise<number>> {
  const [strategy] = await strategiesOnChain(parts.db, 'polygon')
  const { rows } = await sql<{ postedAt: Date }>`select max(posted_at) as "postedAt" from allocations`.execute(parts.db)
  let day = 0
  return async () => {
    day += 1
    const reading = {
      blockNumber: days + day,
      chainTime: new Date(rows[0]!.postedAt.getTime() + day * DAY_MS),
      blockHash: `0x${day}`,
      prices: [{ strategy: strategy!, price: (PRICE_SCALE * BigInt(1_000 + days + day)) / 1_000n }],
    }
    await accruePositions(parts, reading, { snapshot: true, postedBefore: reading.chainTime })
    return 1
  }
}

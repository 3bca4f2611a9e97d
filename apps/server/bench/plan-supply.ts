import { planSupply } from '../src/operations/index.ts'
import { BY_KEY } from '../testing/operations/requesters.ts'
import { openBarePool } from './bare-pool.ts'
import { barePlan } from './bare-transactions.ts'
import type { BenchDatabase, BenchEnvironment } from './bench-environment.ts'
import { type Comparison, compare, inLanes } from './compare.ts'
import { TOKEN } from './memory-chain.ts'
import { seedWallets } from './seed.ts'
import { HISTORY, SHORT_HISTORY, seedHistory } from './seed-history.ts'

const LANES = 8
/** More than any run uses: each plan is the first open one of its wallet, so none supersedes another. */
const WALLETS = 200_000
const FEW_WALLETS = 1_000

/** A complete supply plan with chain reads from memory, against a transaction that only writes as many rows. */
export async function planSupplyBench(workplace: BenchEnvironment): Promise<Comparison[]> {
  const database = await workplace.openDatabase()
  const { parts, organizationId, strategyId } = database
  await seedWallets(database, organizationId, workplace.sized(WALLETS, FEW_WALLETS))
  await seedHistory(database, organizationId, workplace.sized(HISTORY, SHORT_HISTORY))
  const wallets = await walletsOf(database.parts.db, organizationId)
  const scope = { organizationId, walletProfileId: null }
  const pool = openBarePool(database.url, 10)
  const ours = inLanes('weir', LANES, () =>
    planSupply(parts, {
      scope,
      walletId: wallets.next(),
      strategyId,
      tokenAddress: TOKEN,
      amount: 1_000_000n,
      requestedBy: BY_KEY,
    }),
  )
  const bare = inLanes('a bare transaction of as many rows', LANES, () =>
    barePlan(pool, { organizationId, walletId: wallets.next(), strategyId }),
  )
  try {
    return [
      await compare('Plan a supply (token approval and supply)', ours, bare, {
        ...workplace.sized(
          { rounds: 21, milliseconds: 400, warmUpMilliseconds: 3_000 },
          { rounds: 1, milliseconds: 10 },
        ),
        target: 0.5,
      }),
    ]
  } finally {
    await pool.end()
    await database.close()
  }
}

async function walletsOf(db: BenchDatabase['parts']['db'], organizationId: number) {
  const rows = await db.selectFrom('wallets').select('id').where('organization_id', '=', organizationId).execute()
  let at = 0
  return {
    next(): number {
      at += 1
      return rows[at % rows.length]!.id
    },
  }
}

import { generateKey } from '../src/identity/index.ts'
import type { BenchEnvironment } from './bench-environment.ts'
import { type Comparison, type Contender, compare, inTurns } from './compare.ts'
import { dailyAccrual } from './daily-accrual.ts'
import { getLoad } from './http-load.ts'
import { partitionPastMonths } from './partition-past-months.ts'
import { seedAllocations, seedWallets, seedYield } from './seed.ts'
import { startServer } from './server-process.ts'

const POSITIONS = 3_000
const DAYS = 365
/** Enough for the requests, which read up to a month. */
const DAYS_OF_BASELINE = 30
const DAY_MS = 86_400_000

/**
 * The tables that grow by themselves, after a year of 3,000 quiet positions: a million ledger entries with two postings
 * each, and as many snapshots, in a partition a month. What works on them each day, and what reads a month of them,
 * against the same positions after their first month.
 */
export async function yearBench(workplace: BenchEnvironment): Promise<Comparison[]> {
  const positions = workplace.sized(POSITIONS, 20)
  const year = await afterDays(workplace, positions, workplace.sized(DAYS, 3))
  const month = await afterDays(workplace, positions, workplace.sized(DAYS_OF_BASELINE, 2))
  const comparisons: Comparison[] = []
  try {
    const pace = workplace.sized({ rounds: 7, milliseconds: 1 }, { rounds: 1, milliseconds: 1 })
    comparisons.push(
      await compare(
        `A day's yield of ${positions.toLocaleString('en')} positions, after a year`,
        year.accrual,
        month.accrual,
        {
          ...pace,
          target: 0.8,
        },
      ),
    )
    for (const path of Object.keys(year.loads)) {
      const { loads } = year
      const requests = workplace.sized(
        { rounds: 11, milliseconds: 300, warmUpMilliseconds: 1_000 },
        { rounds: 1, milliseconds: 10 },
      )
      comparisons.push(
        await compare(`GET ${path}, after a year`, loads[path]!, month.loads[path]!, { ...requests, target: 0.8 }),
      )
    }
  } finally {
    await year.close()
    await month.close()
  }
  return comparisons
}

interface Installation {
  /** Posts the yield of one more day. */
  readonly accrual: Contender
  readonly loads: Readonly<Record<string, Contender & { close(): void }>>
  close(): Promise<void>
}

async function afterDays(workplace: BenchEnvironment, positions: number, days: number): Promise<Installation> {
  const database = await workplace.openDatabase()
  const { parts, organizationId } = database
  await seedWallets(database, organizationId, positions)
  await seedAllocations(database, organizationId, { closed: 0, open: positions })
  await partitionPastMonths(database, days)
  await seedYield(database, organizationId, days)
  const { apiKey } = await generateKey(parts, { organizationId, name: 'bench' })
  const server = await startServer('weir-server', database.url)
  const { id: walletId } = await parts.db.selectFrom('wallets').select('id').executeTakeFirstOrThrow()
  const yesterday = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS).toISOString()
  const load = (path: string) =>
    getLoad(`after ${days} days`, server.url + path, { 'x-api-key': apiKey }, workplace.sized(8, 2))
  const loads = {
    '/v1/allocations/earnings?days=30': await load(
      `/v1/allocations/earnings?walletId=${walletId}&blockchain=polygon&token=USDC&days=30`,
    ),
    '/api/core/balances?at=(last midnight)': await load(`/api/core/balances?at=${yesterday}&limit=20`),
  }
  return {
    accrual: inTurns(`after ${days} days`, await dailyAccrual(database, days)),
    loads,
    async close() {
      for (const each of Object.values(loads)) each.close()
      await server.stop()
      await database.close()
    },
  }
}

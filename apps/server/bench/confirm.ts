import type pg from 'pg'
import type { Operation } from '../src/operations/index.ts'
import { createFollower } from '../src/watch/index.ts'
import { openBarePool } from './bare-pool.ts'
import { bareInclusion, bareSettlement } from './bare-transactions.ts'
import type { BenchDatabase, BenchEnvironment } from './bench-environment.ts'
import { type Comparison, summary } from './compare.ts'
import { AMOUNT, landed, planOne } from './landed-supplies.ts'
import { seedWallets } from './seed.ts'
import { HISTORY, SHORT_HISTORY, seedHistory } from './seed-history.ts'

/** The service's operations in each block. */
const IN_A_BLOCK = 100

/** Milliseconds until a block's transactions are recorded while it is not final, and until they are settled once it is. */
interface Times {
  readonly head: number
  readonly final: number
}

/**
 * Follows a block full of the service's transactions, each from a different wallet: first while it is not final, which
 * finds and records them, then once it is, which settles, reconciles and emits events. The baseline is one bare
 * transaction for each that writes as many rows: three to record one, eleven to settle it. Both work sequentially, as a
 * follower does. Each half has a row of its own: a chain is followed at both ends of each block, and a caller sees
 * CONFIRMING after the first.
 */
export async function confirmBench(workplace: BenchEnvironment): Promise<Comparison[]> {
  const database = await workplace.openDatabase()
  const { parts, chain, organizationId } = database
  chain.allowance = AMOUNT
  const rounds = workplace.sized(12, 1)
  const inABlock = workplace.sized(IN_A_BLOCK, 3)
  await seedWallets(database, organizationId, inABlock * 2 * (rounds + 1))
  await seedHistory(database, organizationId, workplace.sized(HISTORY, SHORT_HISTORY))
  const pool = openBarePool(database.url, 1)
  const follower = createFollower(parts, chain, { isDevelopment: true, print: () => {} })
  const { signal } = new AbortController()
  const follow = () => follower.round(signal)
  await follow()

  const wallets = await parts.db.selectFrom('wallets').select('id').orderBy('id').execute()
  const plannedNext = async () => {
    const next = wallets.splice(0, inABlock)
    return await Promise.all(next.map(({ id }) => planOne(database, id)))
  }
  const ours = async (): Promise<Times> => {
    const operations = await plannedNext()
    for (const operation of operations) chain.supplied.set(operation.transactions[0]!.sender, AMOUNT)
    chain.appendHead(operations.map(landed))
    const head = await timeOf(follow)
    await requireState(database, operations, 'CONFIRMING')
    chain.finalize()
    const final = await timeOf(follow)
    await requireState(database, operations, 'COMPLETED')
    return { head, final }
  }
  const bare = async (): Promise<Times> => {
    const operations = await plannedNext()
    return {
      head: await timeOf(() => oneByOne(operations, pool, bareInclusion)),
      final: await timeOf(() => oneByOne(operations, pool, bareSettlement)),
    }
  }
  try {
    const ratios = { head: [] as number[], final: [] as number[] }
    const times: Times[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const isFirst = round % 2 === 0
      const bareFirst = isFirst ? undefined : await bare()
      const took = await ours()
      const bareTook = bareFirst ?? (await bare())
      // The first round warms up.
      if (round === 0) continue
      ratios.head.push(bareTook.head / took.head)
      ratios.final.push(bareTook.final / took.final)
      times.push(took)
    }
    const rate = (part: keyof Times) => {
      const sorted = times.map((took) => took[part]).sort((a, b) => a - b)
      return Math.round((inABlock / sorted[Math.floor(sorted.length / 2)]!) * 1_000)
    }
    const baseline = 'as many bare transactions of as many rows'
    return [
      summary(`Confirm ${inABlock} operations of a block: ${rate('final')} a second`, baseline, ratios.final, 1.5),
      summary(
        `Record ${inABlock} operations of a block that is not final: ${rate('head')} a second`,
        baseline,
        ratios.head,
        1.5,
      ),
    ]
  } finally {
    await pool.end()
    await database.close()
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function oneByOne(
  operations: readonly Operation[],
  pool: pg.Pool,
  write: (pool: pg.Pool, operation: Operation) => Promise<void>,
): Promise<void> {
  for (const operation of operations) await write(pool, operation)
}

async function requireState(
  { parts: { db } }: BenchDatabase,
  operations: readonly Operation[],
  state: 'CONFIRMING' | 'COMPLETED',
): Promise<void> {
  const ids = operations.map(({ operationId }) => operationId)
  const { count } = await db
    .selectFrom('operations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', state)
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow()
  if (count !== ids.length) throw new Error(`${count} of ${ids.length} operations are ${state}`)
}

import { createFollower } from '../src/watch/index.ts'
import { openBarePool } from './bare-pool.ts'
import { bareSettlement } from './bare-transactions.ts'
import type { BenchEnvironment } from './bench-environment.ts'
import { type Comparison, summary } from './compare.ts'
import { AMOUNT, landed, planOne } from './landed-supplies.ts'
import { seedWallets } from './seed.ts'

/** The service's operations in each block. */
const IN_A_BLOCK = 100

/**
 * Follows a final block full of the service's transactions, each from a different wallet: finds, settles, reconciles
 * and emits events. The baseline is one bare transaction for each that writes as many rows. Both work sequentially, as
 * a follower does.
 */
export async function confirmBench(workplace: BenchEnvironment): Promise<Comparison[]> {
  const database = await workplace.openDatabase()
  const { parts, chain, organizationId } = database
  chain.allowance = AMOUNT
  const rounds = workplace.sized(12, 1)
  const inABlock = workplace.sized(IN_A_BLOCK, 3)
  await seedWallets(database, organizationId, inABlock * 2 * (rounds + 1))
  const pool = openBarePool(database.url, 1)
  const follower = createFollower(parts, chain, { isDevelopment: true, print: () => {} })
  const { signal } = new AbortController()
  await follower.round(signal)

  const wallets = await parts.db.selectFrom('wallets').select('id').orderBy('id').execute()
  const plannedNext = async () => {
    const next = wallets.splice(0, inABlock)
    return await Promise.all(next.map(({ id }) => planOne(database, id)))
  }
  const ours = async () => {
    const operations = await plannedNext()
    for (const operation of operations) chain.supplied.set(operation.transactions[0]!.sender, AMOUNT)
    chain.append(operations.map(landed))
    const began = performance.now()
    await follower.round(signal)
    const took = performance.now() - began
    const { count } = await parts.db
      .selectFrom('operations')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('state', '=', 'COMPLETED')
      .where(
        'id',
        'in',
        operations.map(({ operationId }) => operationId),
      )
      .executeTakeFirstOrThrow()
    if (count !== inABlock) throw new Error(`${count} of ${inABlock} operations were confirmed`)
    return took
  }
  const bare = async () => {
    const operations = await plannedNext()
    const began = performance.now()
    for (const operation of operations) await bareSettlement(pool, operation)
    return performance.now() - began
  }
  try {
    const ratios: number[] = []
    const rates: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const isFirst = round % 2 === 0
      const bareFirst = isFirst ? undefined : await bare()
      const took = await ours()
      const bareTook = bareFirst ?? (await bare())
      // The first round warms up.
      if (round === 0) continue
      ratios.push(bareTook / took)
      rates.push((inABlock / took) * 1_000)
    }
    const rate = Math.round(rates.sort((a, b) => a - b)[Math.floor(rates.length / 2)]!)
    const title = `Confirm ${inABlock} operations of a block: ${rate} a second`
    return [summary(title, 'as many bare transactions of as many rows', ratios, 1.5)]
  } finally {
    await pool.end()
    await database.close()
  }
}

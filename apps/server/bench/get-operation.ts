import { generateKey } from '../src/identity/index.ts'
import { planSupply } from '../src/operations/index.ts'
import { BY_KEY } from '../testing/operations/requesters.ts'
import type { BenchEnvironment } from './bench-environment.ts'
import { type Comparison, compare } from './compare.ts'
import { getLoad } from './http-load.ts'
import { TOKEN } from './memory-chain.ts'
import { seedWallets } from './seed.ts'
import { HISTORY, SHORT_HISTORY, seedHistory } from './seed-history.ts'
import { startServer } from './server-process.ts'

/** GET /v1/operations/:id with authentication, rate limit and schema, against a bare read of the same row. */
export async function getOperationBench(workplace: BenchEnvironment): Promise<Comparison[]> {
  const database = await workplace.openDatabase()
  const { parts, organizationId, strategyId } = database
  await seedWallets(database, organizationId, workplace.sized(1_000, 10))
  await seedHistory(database, organizationId, workplace.sized(HISTORY, SHORT_HISTORY))
  const { id: walletId } = await parts.db.selectFrom('wallets').select('id').executeTakeFirstOrThrow()
  const scope = { organizationId, walletProfileId: null }
  const { operationId } = await planSupply(
    { ...parts, clock: { now: () => new Date(Date.now() + 3_600_000) } },
    { scope, walletId, strategyId, tokenAddress: TOKEN, amount: 1_000_000n, requestedBy: BY_KEY },
  )
  const { apiKey } = await generateKey(parts, { organizationId, name: 'bench' })
  const weir = await startServer('weir-server', database.url)
  const bare = await startServer('bare-server', database.url)
  const ours = await getLoad('weir', `${weir.url}/v1/operations/${operationId}`, { 'x-api-key': apiKey })
  const theirs = await getLoad('bare Fastify and pg', `${bare.url}/operations/${organizationId}/${operationId}`, {})
  try {
    return [
      await compare('GET /v1/operations/:id', ours, theirs, {
        ...workplace.sized(
          { rounds: 31, milliseconds: 400, warmUpMilliseconds: 5_000 },
          { rounds: 1, milliseconds: 10 },
        ),
        target: 0.75,
      }),
    ]
  } finally {
    ours.close()
    theirs.close()
    await weir.stop()
    await bare.stop()
    await database.close()
  }
}

import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectBooks, expectChain } from '../../testing/expect-books.ts'
import { startProgram } from '../../testing/index.ts'
import {
  type Client,
  type MainJob,
  startMainJob,
  startTestChain,
  type TestChain,
  USDC,
} from '../../testing/main-job.ts'
import { networkOf } from '../chains/index.ts'

/**
 * A process is killed, as by SIGKILL, before and after each commit and each send of one whole loop, supply and full
 * withdrawal, on a real chain and a real database. What is started again knows nothing but the database, and must come to
 * the same end: no operation lost, none carried out twice, nothing held for ever (money-rules 5).
 */
const AMOUNT = 1_000n * USDC
const FUNDS = 10_000n * USDC
const STRATEGY = 'erc4626:polygon:USDC'
/** Each point costs two processes: `npm run crash` visits all of them, `npm test` every send and every eighth commit. */
const VISITS_ALL = process.env.CRASH_POINTS === 'all'
const EVERY = 8
/** A process that dies again and again at the same place would never end. */
const STARTS_MAX = 6

let dev: TestChain
let job: MainJob

beforeAll(async () => {
  dev = await startTestChain()
  job = await startMainJob(dev)
})
afterAll(async () => {
  await job.close()
  await dev.stop()
})

test('killed at a commit or a send, and started again, the loop ends as if nothing had happened', {
  timeout: 900_000,
}, async () => {
  const whole = await runLoop(undefined)
  const labels = JSON.parse(whole.at(-1)?.replace('done ', '') ?? '[]') as string[]
  expect(labels.length).toBeGreaterThan(20)

  const visited = labels.flatMap((label, index) =>
    VISITS_ALL || label.endsWith('send') || index % EVERY < 2 ? [index + 1] : [],
  )
  const died = new Set<string>()
  for (const dieAt of visited) {
    for (const line of await runLoop(dieAt)) if (line.startsWith('died at')) died.add(line)
  }
  expect([...died].sort()).toEqual([
    'died at after commit',
    'died at after send',
    'died at before commit',
    'died at before send',
  ])
})

/** The whole loop of a new wallet; the first process dies at that point. Returns what the processes said. */
async function runLoop(dieAt: number | undefined): Promise<string[]> {
  const key = generatePrivateKey()
  const client = await job.client({ key, usdc: FUNDS })
  const strategy = job.strategy(STRATEGY)
  const said: string[] = []
  for (let start = 0; start < STARTS_MAX; start += 1) {
    const { wallet } = client
    const input = {
      databaseUrl: job.databaseUrl,
      rpcUrl: dev.url,
      network: networkOf(dev.deployment),
      key,
      organizationId: wallet.organizationId,
      walletId: wallet.walletId,
      strategyId: strategy.id,
      tokenAddress: strategy.tokenAddress,
      amount: AMOUNT.toString(),
      start,
      ...(start === 0 && dieAt !== undefined ? { dieAt } : {}),
    }
    const child = startProgram('crashing', [JSON.stringify(input)])
    const line = await child.line('')
    said.push(line)
    await child.kill()
    if (line.startsWith('done')) break
  }
  expect(said.at(-1), `killed at point ${dieAt}`).toMatch(/^done/)
  await expectOneEffect(client)
  return said
}

async function expectOneEffect(client: Client): Promise<void> {
  await expectBooks(job)
  await expectChain(job, [client.wallet.walletId])
  const { organizationId, walletId } = client.wallet
  const operations = await job.db
    .selectFrom('operations')
    .select(['type', 'state', 'settled_amount'])
    .where('organization_id', '=', organizationId)
    .where('wallet_id', '=', walletId)
    .orderBy('id')
    .execute()
  const completed = operations.filter(({ state }) => state === 'COMPLETED')
  expect(completed.map(({ type }) => type)).toEqual(['SUPPLY', 'UNWIND'])
  expect(completed[0]?.settled_amount).toBe(AMOUNT)
  expect(await client.usdc()).toBeGreaterThanOrEqual(FUNDS - 1n)
}

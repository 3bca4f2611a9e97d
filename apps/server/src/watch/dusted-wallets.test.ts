// Anyone can send dust in every slot, and nodes write their lists a few slots late: the newest dust is never listed.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type StalledLists, stalledLists, startFollowing } from '../../testing/chains/stalled-lists.ts'
import { startTestSolana, type TestSolana } from '../../testing/chains/test-solana.ts'
import { expectLedgerMatchesChain, expectValidLedger } from '../../testing/ledger/expect-ledger.ts'
import { type SolanaClient, type SolanaFixture, startSolanaFixture } from '../../testing/operations/solana-fixture.ts'
import { USDC } from '../../testing/units.ts'
import { until } from '../../testing/until.ts'
import { Failure } from '../kernel/index.ts'
import { expireBlockhashes } from '../operations/index.ts'

/** How many slots lists are late. */
const LATE = 3

let solana: TestSolana
let engine: SolanaFixture
let lists: StalledLists
beforeAll(async () => {
  solana = await startTestSolana()
  engine = await startSolanaFixture(solana, solana.byWallets())
})
afterAll(async () => {
  await engine?.close()
  await solana?.stop()
})
beforeEach(() => {
  lists = stalledLists()
})

/** The follower of another test may have moved the cursor: this one notices, and resumes. */
const settle = () => until(() => engine.settle().then(() => true))
const token = () => engine.strategy.tokenAddress
const cursor = async () =>
  (await engine.db.selectFrom('chain_cursors').select('final_number').executeTakeFirstOrThrow()).final_number

async function availableOf({ wallet }: SolanaClient): Promise<bigint> {
  const { available } = await engine.db
    .selectFrom('ledger_balances')
    .select('available')
    .where('wallet_id', '=', wallet.walletId)
    .where('token_address', '=', token())
    .executeTakeFirstOrThrow()
  return available
}

/** A round at the newest block, whose lists are late. The clock stands still, so nothing is waited out. */
async function followLate(follow: () => Promise<void>): Promise<number> {
  const { latest } = await solana.chain.heads()
  lists.stallAt(latest.number - LATE)
  await follow().catch(ignoreUnavailable)
  return latest.number
}

function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof Failure) || error.code !== 'CHAIN_UNAVAILABLE') throw error
}

async function expectBooked(follow: () => Promise<void>): Promise<void> {
  lists.continue()
  for (let rounds = 0; rounds < 2; rounds += 1) {
    await solana.devnet.mine(1)
    await follow()
  }
  await expectValidLedger(engine)
  await expectLedgerMatchesChain(engine)
}

test('dust in every slot delays settlement by the slots that lists are late', async () => {
  const [dusted, other] = [await engine.client(1_000n * USDC), await engine.client(1_000n * USDC)]
  await settle()
  const { follow } = startFollowing(engine, solana, lists.fetch)
  await follow()
  const planned = await other.supply(400n * USDC)
  const behind: number[] = []
  for (let round = 0; round < 8; round += 1) {
    if (round === 2) await other.submit(planned)
    for (let slot = 0; slot < 2; slot += 1) await solana.fund(dusted.key.address, token(), 1n)
    const head = await followLate(follow)
    behind.push(head - (await cursor()))
  }
  // Two slots a round: the newest slot that lists have passed was read two rounds ago.
  expect(behind.slice(3)).toEqual(behind.slice(3).map(() => 4))
  expect(await other.operation(planned)).toMatchObject({ state: 'COMPLETED', settledAmount: 400n * USDC })
  expect(await availableOf(dusted)).toBe(1_000n * USDC + 12n)
  await expectBooked(follow)
})

test('dust for another wallet in every round delays none of them', async () => {
  const clients: SolanaClient[] = []
  for (let count = 0; count < 7; count += 1) clients.push(await engine.client(1_000n * USDC))
  await settle()
  const { follow } = startFollowing(engine, solana, lists.fetch)
  await follow()
  const behind: number[] = []
  for (const { key } of clients) {
    await solana.devnet.mine(1)
    await solana.fund(key.address, token(), 1n)
    const head = await followLate(follow)
    behind.push(head - (await cursor()))
  }
  expect(behind.slice(3)).toEqual(behind.slice(3).map(() => 4))
  expect(await Promise.all(clients.slice(0, 4).map(availableOf))).toEqual(Array(4).fill(1_000n * USDC + 1n))
  await expectBooked(follow)
})

test('a wallet that is registered between two rounds loses nothing when an earlier one is settled', async () => {
  const dusted = await engine.client(1_000n * USDC)
  await settle()
  const { follow } = startFollowing(engine, solana, lists.fetch)
  await follow()
  const before = await cursor()
  for (let slot = 0; slot < 2; slot += 1) await solana.fund(dusted.key.address, token(), 1n)
  await followLate(follow)
  expect(await cursor()).toBe(before)
  const late = await engine.client(1_000n * USDC)
  await solana.fund(late.key.address, token(), 5n)
  for (let round = 0; round < 4; round += 1) {
    for (let slot = 0; slot < 2; slot += 1) await solana.fund(dusted.key.address, token(), 1n)
    await followLate(follow)
  }
  expect(await cursor()).toBeGreaterThan(before)
  await expectBooked(follow)
  expect(await availableOf(late)).toBe(1_000n * USDC + 5n)
})

test('bytes of a wallet with dust in every slot die as those of others', async () => {
  const client = await engine.client(1_000n * USDC)
  await settle()
  const service = startFollowing(engine, solana, lists.fetch)
  await service.follow()
  const planned = await client.supply(400n * USDC)
  await solana.devnet.mine(200)
  for (let round = 0; round < 5; round += 1) {
    for (let slot = 0; slot < 2; slot += 1) await solana.fund(client.key.address, token(), 1n)
    await followLate(service.follow)
    const final = { number: await cursor() }
    await expireBlockhashes(service.parts, service.chain, final).catch(ignoreUnavailable)
  }
  expect((await client.operation(planned)).transactions).toMatchObject([{ canStillLand: false }])
  await expectBooked(service.follow)
})

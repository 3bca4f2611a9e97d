// Nodes write the list of an address's transactions after its balance, each at its own pace.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestSolana, type TestSolana } from '../../testing/chains/test-solana.ts'
import { expectLedgerMatchesChain, expectValidLedger } from '../../testing/ledger/expect-ledger.ts'
import { type SolanaFixture, startSolanaFixture } from '../../testing/operations/solana-fixture.ts'
import { USDC } from '../../testing/units.ts'
import { until } from '../../testing/until.ts'
import type { Fetch } from '../chains/rpc/endpoint.ts'
import { associatedTokenAddress } from '../chains/solana/addresses/associated-token-address.ts'
import { transferTokens } from '../chains/solana/transactions/instructions.ts'
import { type Clock, ManualClock, SOLANA_LATE_LIST_MS, systemClock } from '../kernel/index.ts'
import { createFollower } from './index.ts'

interface RpcRequest {
  readonly method: string
  readonly params: readonly [unknown, Record<string, unknown>?]
}

let solana: TestSolana
let engine: SolanaFixture
/** Signatures that the lists of addresses lack, and transactions that the node does not have. */
let unlisted: readonly string[] = []
let pruned: readonly string[] = []

const lagging: Fetch = async (url, init) => {
  const batch = JSON.parse(String(init.body)) as RpcRequest[]
  const responses = (await (await fetch(url, init)).json()) as { id: number; result?: unknown }[]
  for (const response of responses) {
    const { method, params } = batch[response.id]!
    if (method === 'getSignaturesForAddress') {
      const listed = response.result as { signature: string }[]
      response.result = listed.filter(({ signature }) => !unlisted.includes(signature))
    }
    if (method === 'getTransaction' && pruned.includes(params[0] as string)) response.result = null
  }
  return Response.json(responses)
}

beforeAll(async () => {
  solana = await startTestSolana()
  engine = await startSolanaFixture(solana, solana.byWallets(lagging))
})
afterAll(async () => {
  await engine?.close()
  await solana?.stop()
})
beforeEach(() => {
  unlisted = []
  pruned = []
})

/** The follower of another test may have moved the cursor: this one notices, and resumes. */
const settle = () => until(() => engine.settle().then(() => true))
const cursor = () => engine.db.selectFrom('chain_cursors').select('final_number').executeTakeFirstOrThrow()
const deposit = async (owner: string, amount: bigint) =>
  (await solana.fund(owner, engine.strategy.tokenAddress, amount)).hash

/** Follows as another process does after a start or a handover: it has read nothing yet. */
function start(clock: Clock = systemClock): () => Promise<void> {
  const chain = solana.byWallets(lagging, { clock })
  const parts = { ...engine.parts, chains: new Map([['solana', chain]]) }
  const follower = createFollower(parts, chain, { isDevelopment: true, print: () => {} })
  return () => follower.round(new AbortController().signal)
}

async function expectBooked(followed: () => Promise<void>): Promise<void> {
  for (let rounds = 0; rounds < 2; rounds += 1) {
    await solana.devnet.mine(1)
    await followed()
  }
  await expectValidLedger(engine)
  await expectLedgerMatchesChain(engine)
}

test('after a start nothing is passed while a deposit is in the balance and not yet in the list', async () => {
  const client = await engine.client(1_000n * USDC)
  await settle()
  const before = await cursor()
  unlisted = [await deposit(client.key.address, 5n * USDC)]
  const followed = start()
  await expect(followed()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect(await cursor()).toEqual(before)
  unlisted = []
  await expectBooked(followed)
})

test.each([
  ['the last', 1],
  ['the first', 0],
])('%s of two deposits is missing in the list: nothing is passed', async (_which, index) => {
  const client = await engine.client(1_000n * USDC)
  await settle()
  const before = await cursor()
  const hashes = [await deposit(client.key.address, 5n * USDC), await deposit(client.key.address, 7n * USDC)]
  unlisted = [hashes[index]!]
  await expect(engine.followOnce()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect(await cursor()).toEqual(before)
  unlisted = []
  await expectBooked(engine.followOnce)
})

test('a transaction that no list ever names stops the chain for some minutes, then its wallet is compared', async () => {
  const client = await engine.client(1_000n * USDC)
  await settle()
  unlisted = [await deposit(client.key.address, 5n * USDC)]
  const clock = new ManualClock(new Date())
  const followed = start(clock)
  await expect(followed()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  clock.advance(SOLANA_LATE_LIST_MS - 1)
  await expect(followed()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  clock.advance(1)
  await followed()
  await expectBooked(followed)
})

test('an amount that was read after a later transaction than its block contradicts nothing', async () => {
  const { key } = await engine.client(1_000n * USDC)
  const token = engine.strategy.tokenAddress
  const tracked = { wallets: [key.address], tokens: [token], senders: [] }
  const account = (await associatedTokenAddress(key.address, token))!
  const other = await solana.wallet(token, 1n)
  const elsewhere = (await associatedTokenAddress(other.address, token))!
  const { finalizedBlocks } = solana.byWallets(lagging).walletActivity!
  const start = (await solana.devnet.mine(1)).number
  await finalizedBlocks(tracked, start - 1, start)
  const there = await solana.fund(key.address, token, 5n * USDC)
  await solana.send(key, [transferTokens(account, elsewhere, key.address, 5n * USDC)])
  await finalizedBlocks(tracked, start, there.blockNumber)
  const last = await solana.fund(key.address, token, 7n * USDC)
  await finalizedBlocks(tracked, there.blockNumber, last.blockNumber)
})

test('the first deposit of an account that is not in the list at a start is found by comparing its wallet', async () => {
  const client = await engine.client(0n)
  await settle()
  const hash = await deposit(client.key.address, 5n * USDC)
  unlisted = [hash]
  const followed = start()
  await followed()
  await expectBooked(followed)
  unlisted = []
  await expectBooked(followed)
})

test('an account whose last transaction a node has forgotten stops nothing', async () => {
  const client = await engine.client(0n)
  const hash = await deposit(client.key.address, 5n * USDC)
  await settle()
  pruned = [hash]
  await solana.devnet.mine(1)
  const followed = start()
  await followed()
  await expectBooked(followed)
})

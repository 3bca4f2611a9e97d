import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newKey, startTestSolana, type TestSolana } from '../../testing/chains/test-solana.ts'
import { expectLedgerMatchesChain, expectValidLedger } from '../../testing/ledger/expect-ledger.ts'
import { anyState } from '../../testing/operations/any-state.ts'
import { type SolanaClient, type SolanaFixture, startSolanaFixture } from '../../testing/operations/solana-fixture.ts'
import { USDC } from '../../testing/units.ts'
import { associatedTokenAddress } from '../chains/index.ts'
import type { Fetch } from '../chains/rpc/endpoint.ts'
import { mintTo } from '../chains/solana/transactions/instructions.ts'
import { registerWallet } from '../wallets/index.ts'

interface RpcRequest {
  readonly method: string
  readonly params: readonly [unknown, Record<string, unknown>?]
}
interface RpcResponse {
  result?: unknown
}

let solana: TestSolana
let engine: SolanaFixture
/** The HTTP requests since the last reset, with the methods of each. */
let requests: (readonly RpcRequest[])[] = []
/** How a test changes a response. */
let change: ((request: RpcRequest, response: RpcResponse) => void) | undefined

const watched: Fetch = async (url, init) => {
  const batch = JSON.parse(String(init.body)) as RpcRequest[]
  requests.push(batch)
  const received = await fetch(url, init)
  if (!change) return received
  const responses = (await received.json()) as (RpcResponse & { id: number })[]
  for (const response of responses) change(batch[response.id]!, response)
  return Response.json(responses)
}

beforeAll(async () => {
  solana = await startTestSolana()
  engine = await startSolanaFixture(solana, solana.byWallets(watched))
})
afterAll(async () => {
  await engine?.close()
  await solana?.stop()
})
beforeEach(() => {
  change = undefined
})

async function costOf(work: () => Promise<unknown>): Promise<{ http: number; methods: string[] }> {
  requests = []
  await work()
  return { http: requests.length, methods: requests.flat().map(({ method }) => method) }
}

/** Delays finality: nodes finalize slots some time after their blocks appear. */
const finalBehind =
  (slots: number): typeof change =>
  ({ method, params }, response) => {
    const { commitment } = (params[0] ?? {}) as { commitment?: string }
    if (method === 'getSlot' && commitment === 'finalized') response.result = Number(response.result) - slots
  }

/** Tokens arrive in a transaction that names the token account but not its owner, like ordinary transfers. */
async function arrive(client: SolanaClient, amount: bigint): Promise<void> {
  const token = engine.strategy.tokenAddress
  const account = await associatedTokenAddress(client.key.address, token)
  await solana.send(solana.treasury, [mintTo(token, account, solana.treasury.address, amount)])
}

/** Mines this many blocks, each with a foreign transaction. */
async function foreignBlocks(count: number): Promise<void> {
  const stranger = await newKey()
  for (let made = 0; made < count; made += 1) await solana.fund(stranger.address, engine.strategy.tokenAddress, 1n)
}

test('the cost of a round does not grow with the slots that passed, and no block is read in full', async () => {
  await engine.client()
  await engine.settle()
  await engine.settle()
  const few = await costOf(() => engine.settle(2))
  await foreignBlocks(12)
  const many = await costOf(() => engine.settle(400))
  expect(many).toEqual(few)
  expect(few.http).toBeLessThanOrEqual(4)
  const blocks = requests.flat().filter(({ method }) => method === 'getBlock')
  expect(blocks.map(({ params }) => params[1]?.transactionDetails)).not.toContain('full')
})

test('a quiet round of hundreds of wallets costs as many HTTP calls as one of a few', async () => {
  const client = await engine.client()
  await engine.settle()
  await engine.settle()
  const few = await costOf(() => engine.settle())
  const { scope } = client
  for (let count = 0; count < 120; count += 1) {
    const { address } = await newKey()
    await registerWallet(engine.parts, { scope, walletAddress: address, blockchain: 'solana' })
  }
  // The first rounds compare them; after that their balances are known.
  for (let rounds = 0; rounds < 3; rounds += 1) await engine.settle()
  const many = await costOf(() => engine.settle())
  expect(many.http).toBe(few.http)
  const reads = (methods: readonly string[]) => methods.filter((method) => method === 'getMultipleAccounts').length
  // A hundred accounts per call, a hundred calls per HTTP request.
  expect([reads(few.methods), reads(many.methods)]).toEqual([1, 5])
  await expectValidLedger(engine)
})

test('tokens that left and came back between two rounds are posted, although the balance is unchanged', async () => {
  const client = await engine.client(1_000n * USDC)
  await engine.settle()
  const planned = await client.supply(400n * USDC)
  await client.submit(planned)
  await solana.devnet.mine(1)
  await arrive(client, 400n * USDC)
  await engine.settle()
  expect(await client.usdc()).toBe(1_000n * USDC)
  expect(await client.operation(planned)).toMatchObject({ state: 'COMPLETED', settledAmount: 400n * USDC })
  await expectValidLedger(engine)
  await expectLedgerMatchesChain(engine)
})

test('a transaction after the final head is posted once it is final, although it was seen before', async () => {
  const client = await engine.client(1_000n * USDC)
  await engine.settle()
  change = finalBehind(3)
  await engine.settle(4)
  await arrive(client, 70n * USDC)
  await engine.followOnce()
  await expectValidLedger(engine)
  change = undefined
  await engine.settle()
  await expectLedgerMatchesChain(engine)
})

test('several transactions of one block are settled in order', async () => {
  const [one, other] = [await engine.client(1_000n * USDC), await engine.client(1_000n * USDC)]
  await engine.settle()
  const plans = [await one.supply(100n * USDC), await other.supply(200n * USDC)] as const
  const again = await one.supply(300n * USDC)
  // The superseded plan lands too, in the same block.
  for (const [client, plan] of [
    [one, plans[0]],
    [other, plans[1]],
    [one, again],
  ] as const)
    await client.send(plan)
  await engine.settle()
  expect(await one.operation(plans[0])).toMatchObject({ state: 'COMPLETED' })
  expect(await one.operation(again)).toMatchObject({ state: 'COMPLETED' })
  expect(await other.operation(plans[1])).toMatchObject({ state: 'COMPLETED' })
  await expectValidLedger(engine)
  await expectLedgerMatchesChain(engine)
})

test('nothing is posted while a node’s signature list lags behind its balances', async () => {
  const client = await engine.client(1_000n * USDC)
  await engine.settle()
  await engine.settle()
  const before = await engine.db.selectFrom('chain_cursors').select('final_number').executeTakeFirstOrThrow()
  await solana.fund(client.key.address, engine.strategy.tokenAddress, 5n * USDC)
  change = ({ method }, response) => {
    if (method === 'getSignaturesForAddress') response.result = []
  }
  await expect(engine.settle()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect(await engine.db.selectFrom('chain_cursors').select('final_number').executeTakeFirstOrThrow()).toEqual(before)
  change = undefined
  await engine.settle()
  await expectValidLedger(engine)
  await expectLedgerMatchesChain(engine)
})

/** A node whose history starts at a slot: its lists contain nothing from before. */
const forgetting =
  (oldest: number): typeof change =>
  ({ method }, response) => {
    if (method === 'getFirstAvailableBlock') response.result = oldest
    if (method !== 'getSignaturesForAddress') return
    response.result = (response.result as { slot: number }[]).filter(({ slot }) => slot >= oldest)
  }

test('nothing is posted from a node that pruned the time since the last round', async () => {
  const client = await engine.client(1_000n * USDC)
  await engine.settle()
  const planned = await client.supply(400n * USDC)
  await solana.devnet.mine(8)
  await client.send(planned)
  // Visible in the wallet's balance, and not settled yet.
  change = finalBehind(5)
  await engine.settle()
  const before = await engine.db.selectFrom('chain_cursors').select('final_number').executeTakeFirstOrThrow()
  await solana.devnet.mine(10)
  const { latest } = await solana.chain.heads()
  change = forgetting(latest.number)
  await expect(engine.settle()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect(await engine.db.selectFrom('chain_cursors').select('final_number').executeTakeFirstOrThrow()).toEqual(before)
  change = undefined
  await engine.settle()
  expect((await client.operation(planned)).state).toBe('COMPLETED')
  await expectValidLedger(engine)
  await expectLedgerMatchesChain(engine)
})

test('a node that pruned the time when bytes could have landed proves nothing about them', async () => {
  const client = await engine.client(1_000n * USDC)
  await engine.settle()
  const planned = await client.complete(await client.supply(400n * USDC))
  const { transactionId, txHash } = anyState(planned.transactions[0]!)
  const later = await solana.fund(client.key.address, engine.strategy.tokenAddress, 5n * USDC)
  const chain = solana.byWallets(watched)
  const { final } = await chain.heads()
  const look = () =>
    chain.findLanded(client.key.address, [transactionId], { slot: final.number, since: planned.createdAt, sent: [] })
  expect(await look()).toEqual({ hashes: [txHash] })
  const forget = forgetting(later.blockNumber)
  change = forget
  await expect(look()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  // Nodes do not know the time or height of some blocks.
  change = (request, response) => {
    forget!(request, response)
    if (request.method === 'getBlock') Object.assign(response.result as object, { blockTime: null, blockHeight: null })
  }
  await expect(look()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
})

test('a block whose time the node does not know is settled only once it knows it', async () => {
  const client = await engine.client(1_000n * USDC)
  await engine.settle()
  const planned = await client.supply(400n * USDC)
  await client.submit(planned)
  await solana.devnet.mine(1)
  const cursor = () => engine.db.selectFrom('chain_cursors').selectAll().executeTakeFirstOrThrow()
  const before = await cursor()
  change = ({ method }, response) => {
    if (method === 'getBlock') Object.assign(response.result as object, { blockTime: null })
  }
  await engine.followOnce()
  expect(await cursor()).toEqual(before)
  change = undefined
  await engine.settle()
  expect(await client.operation(planned)).toMatchObject({ state: 'COMPLETED' })
  const opened = await engine.db.selectFrom('allocations').select('opened_at').execute()
  expect(opened.filter(({ opened_at }) => opened_at.getTime() < 1_000_000_000_000)).toEqual([])
})

test('a node whose balances are behind the final head is not trusted', async () => {
  await engine.settle()
  await solana.devnet.mine(1)
  change = ({ method }, response) => {
    if (method !== 'getMultipleAccounts') return
    const { context } = response.result as { context: { slot: number } }
    context.slot -= 2
  }
  await expect(engine.followOnce()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  change = undefined
  await engine.followOnce()
})

test('an included transaction has a block and posts nothing; once final, it is settled', async () => {
  const client = await engine.client(1_000n * USDC)
  await engine.settle()
  const planned = await client.supply(400n * USDC)
  await client.submit(planned)
  const behind = 3
  change = finalBehind(behind)
  await engine.settle()
  const included = await client.operation(planned)
  expect(included).toMatchObject({ state: 'CONFIRMING', settledAmount: null })
  expect(included.transactions[0]).toMatchObject({ status: 'pending', blockNumber: expect.any(Number) })
  await engine.settle(behind)
  expect(await client.operation(planned)).toMatchObject({ state: 'COMPLETED', settledAmount: 400n * USDC })
  change = undefined
  await engine.settle()
  await expectValidLedger(engine)
  await expectLedgerMatchesChain(engine)
})

test('an inclusion in a block that the cluster dropped is undone, and the transaction waits again', async () => {
  const client = await engine.client(1_000n * USDC)
  await engine.settle()
  const planned = await client.supply(400n * USDC)
  await solana.devnet.setFault({ fault: 'drop_next', count: 1, signers: [client.key.address] })
  await client.submit(planned)
  await engine.settle()
  const { final_number: final } = await engine.db.selectFrom('chain_cursors').selectAll().executeTakeFirstOrThrow()
  // As if it had been seen in a block of a fork whose slot was passed since.
  await engine.db
    .updateTable('transactions')
    .set({ block_number: final, block_hash: 'a fork', included_at: engine.clock.now() })
    .where('operation_id', '=', planned.operationId)
    .execute()
  await engine.settle()
  expect((await client.operation(planned)).transactions[0]).toMatchObject({ status: 'pending', blockNumber: null })
  engine.clock.advance(6_000)
  await engine.followOnce()
  await engine.settle()
  expect(await client.operation(planned)).toMatchObject({ state: 'COMPLETED' })
  await expectLedgerMatchesChain(engine)
})

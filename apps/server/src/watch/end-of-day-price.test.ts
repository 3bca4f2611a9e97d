// Also tested elsewhere: which answers of a node say that it keeps no state (chains/rpc/past-state.test.ts).
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { erc20, startTestChain, type TestChain } from '../../testing/chains/test-chain.ts'
import { expectLedgerMatchesChain, expectValidLedger } from '../../testing/ledger/expect-ledger.ts'
import { type EngineFixture, startEngineFixture } from '../../testing/operations/engine-fixture.ts'
import type { TestClient } from '../../testing/operations/test-client.ts'
import { USDC } from '../../testing/units.ts'
import { createEvmChain, type EvmChain } from '../chains/index.ts'
import { DAY_END_RETRIES_MS, silentLog } from '../kernel/index.ts'
import { readPrices } from '../venues/index.ts'
import { createFollower } from './follow-chain.ts'

const DEAD = '0x000000000000000000000000000000000000dEaD'
const STRATEGY = 'aave-v3:polygon:USDC'
const MISSING = { code: -32_000, message: 'missing trie node 5a6e2c (path )' }
const BUSY = { code: -32_603, message: 'internal error' }
const LIMITED = { code: -32_005, message: 'limit exceeded' }

let dev: TestChain
let engine: EngineFixture
let chain: EvmChain
/** The node's error to a read of the state after this block, by these calls. */
let refuse: (block: number, calls: string) => typeof MISSING | undefined

beforeAll(async () => {
  dev = await startTestChain()
})
afterAll(() => dev.stop())

interface Wire {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

beforeEach(async () => {
  engine = await startEngineFixture(dev)
  refuse = () => undefined
  const refusing = async (url: string, init: RequestInit) => {
    const requests = JSON.parse(String(init.body)) as Wire[]
    const responses = (await (await fetch(url, init)).json()) as { id: number }[]
    const refusals = new Map(
      requests.map(({ id, method, params }) => {
        const block = method === 'eth_call' ? Number(params[1]) : Number.NaN
        return [id, Number.isNaN(block) ? undefined : refuse(block, JSON.stringify(params[0]))]
      }),
    )
    return Response.json(
      responses.map((one) => {
        const error = refusals.get(one.id)
        return error ? { jsonrpc: '2.0', id: one.id, error } : one
      }),
    )
  }
  const { network } = engine.chain
  chain = createEvmChain({
    network,
    rpcUrls: [dev.url],
    log: silentLog,
    clock: engine.clock,
    fault: { fetch: refusing },
  })
  return () => engine.close()
})

const follow = () =>
  createFollower(engine.parts, chain, { isDevelopment: true, print: () => {} }).round(new AbortController().signal)

/** Moves the chain's clock to the next time of day (UTC), and mines a block. */
async function mineAt(hour: number, minute = 0): Promise<void> {
  const { latest } = await engine.chain.heads()
  const passes = hour * 3_600 + minute * 60 - (Math.floor(latest.time.getTime() / 1_000) % 86_400)
  await dev.rpc('evm_increaseTime', passes > 0 ? passes : passes + 86_400)
  await dev.mine(1)
}

interface Night {
  readonly client: TestClient
  /** The last block of the old day. */
  readonly last: number
  readonly day: string
  /** The block that moved the position, just after midnight. */
  readonly moved: number
}

/** An outage over midnight: a wallet moves at the start of the new day, and the service looks six hours later. */
async function outageOverMidnight(): Promise<Night> {
  await mineAt(20)
  await engine.followOnce()
  const client = await engine.client({ usdc: 1_000n * USDC })
  await engine.settle()
  await client.complete(await client.supply(400n * USDC))
  const planned = await client.supply(100n * USDC)
  await mineAt(23, 59)
  await engine.followOnce()
  const { final } = await engine.chain.heads()
  await dev.withoutMining(async () => {
    await client.submitAll(planned)
    await mineAt(0, 1)
  })
  const moved = (await engine.chain.heads()).latest.number
  await mineAt(6)
  return { client, last: final.number, day: final.time.toISOString().slice(0, 10), moved }
}

async function priceAt(block: number): Promise<bigint> {
  const prices = await readPrices(engine.db, engine.chain, block, { needsAll: true })
  return prices.find(({ strategy }) => strategy.key === STRATEGY)!.price
}

/** What the wallet's positions earned in entries of the ledger, and what was posted as a loss. */
async function posted({ client: { wallet } }: Night) {
  const entries = await engine.db
    .selectFrom('ledger_entries as e')
    .innerJoin('ledger_postings as p', (join) =>
      join.onRef('p.organization_id', '=', 'e.organization_id').onRef('p.entry_id', '=', 'e.id'),
    )
    .select(['e.kind', 'e.source', 'p.amount'])
    .where('p.wallet_id', '=', wallet.walletId)
    .where('p.account', '=', 'yield')
    .orderBy('e.id')
    .execute()
  // The account is a source of income: what is earned is negative in it.
  return entries.map(({ kind, amount }) => ({ kind, earned: -amount }))
}

async function expectNoLoss(night: Night): Promise<void> {
  const entries = await posted(night)
  expect(entries.filter(({ kind }) => kind === 'loss')).toEqual([])
  // The protocol rounds a movement by a few units.
  expect(entries.filter(({ earned }) => earned < -2n)).toEqual([])
  await expectValidLedger(engine)
}

async function snapshotsOf({ client: { wallet } }: Night) {
  return engine.db
    .selectFrom('yield_snapshots')
    .selectAll()
    .where('organization_id', '=', wallet.organizationId)
    .orderBy('day')
    .execute()
}

test('an end of a day that a node was too busy to read waits, and gets the price at its block', async () => {
  const night = await outageOverMidnight()
  let refusals = 0
  refuse = (block) => (block === night.last && refusals++ === 0 ? LIMITED : undefined)
  const first = await follow().catch((error: unknown) => error)
  await follow()
  await expectNoLoss(night)
  expect([refusals > 1, first]).toMatchObject([true, { code: 'CHAIN_UNAVAILABLE' }])
  expect(await snapshotsOf(night)).toMatchObject([{ day: night.day }])
  await expectLedgerMatchesChain(engine)
})

test('a day that no node kept ends with the latest price, which no earlier block is compared with', async () => {
  const night = await outageOverMidnight()
  const { latest } = await engine.chain.heads()
  refuse = (block) => (block === night.last ? MISSING : undefined)
  await follow()
  await expectNoLoss(night)
  expect(await snapshotsOf(night)).toMatchObject([{ day: night.day }])
  const position = engine.db.selectFrom('allocations').select(['posted_at', 'posted_price'])
  expect(await position.where('wallet_id', '=', night.client.wallet.walletId).executeTakeFirstOrThrow()).toEqual({
    posted_at: latest.time,
    posted_price: await priceAt(latest.number),
  })
  await expectLedgerMatchesChain(engine)
})

test('a block that a node was too busy to read is settled in the next round, at its own price', async () => {
  const night = await outageOverMidnight()
  let refusals = 0
  refuse = (block) => (block === night.moved && refusals++ === 0 ? LIMITED : undefined)
  await expect(follow()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  await follow()
  const position = engine.db.selectFrom('allocations').select('posted_price')
  expect(await position.where('wallet_id', '=', night.client.wallet.walletId).executeTakeFirstOrThrow()).toEqual({
    posted_price: await priceAt(night.moved),
  })
  await expectNoLoss(night)
})

test('a block that no node kept is settled at the latest price, and a later one at its own posts no loss', async () => {
  await mineAt(10)
  await engine.followOnce()
  const client = await engine.client({ usdc: 1_000n * USDC })
  await engine.settle()
  await client.complete(await client.supply(400n * USDC))
  const night: Night = { client, last: 0, day: '', moved: 0 }
  await dev.withoutMining(async () => {
    await client.submitAll(await client.supply(100n * USDC))
    await dev.mine(1)
  })
  const forgotten = (await engine.chain.heads()).latest.number
  const { aToken } = engine.strategy(STRATEGY).params
  const away = encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [DEAD, 50n * USDC] })
  await dev.withoutMining(async () => {
    await dev.call(client.account, aToken!, away)
    await mineAt(11)
  })
  await mineAt(16)
  refuse = (block) => (block === forgotten ? MISSING : undefined)
  await follow()
  await expectNoLoss(night)
  await expectLedgerMatchesChain(engine)
})

test('a strategy that the node does not serve holds up the chain for minutes only', async () => {
  const night = await outageOverMidnight()
  const pool = engine.strategy(STRATEGY).params.pool!.slice(2).toLowerCase()
  refuse = (block, calls) => (block === night.last && calls.includes(pool) ? BUSY : undefined)
  const follower = createFollower(engine.parts, chain, { isDevelopment: true, print: () => {} })
  const round = () => follower.round(new AbortController().signal)
  await expect(round()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  engine.clock.advance(DAY_END_RETRIES_MS)
  await round()
  expect(await snapshotsOf(night)).toEqual([])
  await expectNoLoss(night)
})

test('a strategy that the node does not serve just now is in the end of the day nevertheless', async () => {
  const night = await outageOverMidnight()
  const pool = engine.strategy(STRATEGY).params.pool!.slice(2).toLowerCase()
  refuse = (block, calls) => (block === night.last && calls.includes(pool) ? BUSY : undefined)
  await expect(follow()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  refuse = () => undefined
  await follow()
  expect(await snapshotsOf(night)).toMatchObject([{ day: night.day }])
  await expectNoLoss(night)
})

// Two endpoints of Solana: the first one lacks or invents something, the second one is whole.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestSolana, type TestSolana } from '../../testing/chains/test-solana.ts'
import { expectLedgerMatchesChain, expectValidLedger } from '../../testing/ledger/expect-ledger.ts'
import { type SolanaFixture, startSolanaFixture } from '../../testing/operations/solana-fixture.ts'
import { USDC } from '../../testing/units.ts'
import { until } from '../../testing/until.ts'
import type { Fetch } from '../chains/rpc/endpoint.ts'
import { SOLANA_LATE_LIST_MS } from '../kernel/index.ts'
import { createFollower } from './index.ts'

interface Call {
  readonly method: string
  readonly params: readonly [unknown, { readonly commitment?: string }?]
}

let solana: TestSolana
let engine: SolanaFixture
let isGone = false
/** In place of an endpoint's own result; `undefined` keeps that. */
let replace: (call: Call, isFirst: boolean) => unknown = () => undefined

const two: Fetch = async (url, init) => {
  const isFirst = new URL(url).host === 'first.test'
  if (isFirst && isGone) return new Response('gone', { status: 503 })
  const batch = JSON.parse(String(init.body)) as Call[]
  const responses = (await (await fetch(solana.devnet.url, init)).json()) as { id: number }[]
  return Response.json(
    responses.map((response) => {
      const result = replace(batch[response.id]!, isFirst)
      return result === undefined ? response : { jsonrpc: '2.0', id: response.id, result }
    }),
  )
}

beforeAll(async () => {
  solana = await startTestSolana()
  engine = await startSolanaFixture(solana, solana.byWallets())
})
afterAll(async () => {
  await engine?.close()
  await solana?.stop()
})
beforeEach(() => {
  isGone = false
  replace = () => undefined
})

function start() {
  const { clock } = engine
  const chain = solana.byWallets(two, { clock, rpcUrls: ['http://first.test', 'http://second.test'] })
  const parts = { ...engine.parts, chains: new Map([['solana', chain]]) }
  const follower = createFollower(parts, chain, { isDevelopment: false, print: () => {} })
  return () => follower.round(new AbortController().signal)
}

/** The follower of another test may have moved the cursor: this one notices, and resumes. */
const settle = () => until(() => engine.settle().then(() => true))
const settled = async () =>
  (await engine.db.selectFrom('chain_cursors').select('final_number').executeTakeFirstOrThrow()).final_number

test('a transaction that one endpoint lists and lacks is read from the next one', async () => {
  const { key } = await engine.client(1_000n * USDC)
  await settle()
  const { hash, blockNumber } = await solana.fund(key.address, engine.strategy.tokenAddress, 5n * USDC)
  replace = ({ method, params }, isFirst) =>
    isFirst && method === 'getTransaction' && params[0] === hash ? null : undefined
  await start()()
  expect(await settled()).toBe(blockNumber)
  await expectValidLedger(engine)
  await expectLedgerMatchesChain(engine)
})

test('a transaction that every endpoint lists and lacks stops the chain for some minutes, then its wallet is compared', async () => {
  const { key } = await engine.client(1_000n * USDC)
  await settle()
  const { hash } = await solana.fund(key.address, engine.strategy.tokenAddress, 5n * USDC)
  replace = ({ method, params }) => (method === 'getTransaction' && params[0] === hash ? null : undefined)
  const followed = start()
  await expect(followed()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  engine.clock.advance(SOLANA_LATE_LIST_MS - 1)
  await expect(followed()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  engine.clock.advance(1)
  await followed()
  for (let rounds = 0; rounds < 2; rounds += 1) {
    await solana.devnet.mine(1)
    await followed()
  }
  await expectValidLedger(engine)
  await expectLedgerMatchesChain(engine)
})

test('a final block that an endpoint invented in a skipped slot stops the chain no longer than that endpoint is asked', async () => {
  const client = await engine.client(1_000n * USDC)
  await settle()
  await start()()
  const { number } = (await engine.chain.heads()).latest
  await solana.devnet.mine(3, 4)
  const slot = number + 2
  const block = { blockhash: 'x', previousBlockhash: 'y', parentSlot: slot - 1, blockHeight: 500 }
  replace = ({ method, params }, isFirst) => {
    if (!isFirst) return undefined
    if (method === 'getSlot' && (params[0] as { commitment: string }).commitment === 'finalized') return slot
    return method === 'getBlock' && params[0] === slot
      ? { ...block, blockTime: Math.floor(Date.now() / 1_000) }
      : undefined
  }
  await start()()
  expect(await settled()).toBe(slot)
  isGone = true
  const followed = start()
  const planned = await client.supply(100n * USDC)
  await client.submit(planned)
  for (let rounds = 0; rounds < 3; rounds += 1) {
    engine.clock.advance(10_000)
    await solana.devnet.mine(1)
    await followed()
  }
  expect(await client.operation(planned)).toMatchObject({ state: 'COMPLETED' })
})

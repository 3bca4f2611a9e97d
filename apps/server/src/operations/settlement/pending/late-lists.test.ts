// Nodes and providers write what they list after the blocks, each at its own pace, and some nodes of a pool lag behind.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestSolana, type TestSolana } from '../../../../testing/chains/test-solana.ts'
import { expectLedgerMatchesChain, expectValidLedger } from '../../../../testing/ledger/expect-ledger.ts'
import { anyState } from '../../../../testing/operations/any-state.ts'
import {
  type SolanaClient,
  type SolanaFixture,
  startSolanaFixture,
} from '../../../../testing/operations/solana-fixture.ts'
import { USDC } from '../../../../testing/units.ts'
import type { Fetch } from '../../../chains/rpc/endpoint.ts'
import type { Operation } from '../../lifecycle/states/operation.ts'
import { broadcastStoredBytes, recordBroadcastResult } from '../../transactions/broadcast-stored-bytes.ts'
import { expireBlockhashes } from './expire-blockhashes.ts'

interface RpcRequest {
  readonly method: string
  readonly params: readonly [unknown, Record<string, unknown>?]
}

let solana: TestSolana
let engine: SolanaFixture
/** Methods whose response is replaced, and the replacements. */
let answers: Record<string, object> = {}

const lagging: Fetch = async (url, init) => {
  const batch = JSON.parse(String(init.body)) as RpcRequest[]
  // What a node refuses to take must not reach the chain.
  const passedOn = batch.map((one) =>
    one.method === 'sendTransaction' && answers.sendTransaction ? { ...one, method: 'getHealth', params: [] } : one,
  )
  const received = await fetch(url, { ...init, body: JSON.stringify(passedOn) })
  const responses = (await received.json()) as { id: number }[]
  const lists = batch.some(({ method }) => method === 'getSignaturesForAddress')
  return Response.json(
    responses.map((response) => {
      const { method } = batch[response.id]!
      // Only the node that lists lacks the block.
      if (method === 'getBlock' && !lists) return response
      const { id } = response
      return answers[method] ? { jsonrpc: '2.0', id, ...answers[method] } : response
    }),
  )
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
  answers = {}
})

const NO_LIST = { getSignaturesForAddress: { result: [] } }

/** A supply that landed; its bytes expired before the follower read their block. */
async function landed(send: (client: SolanaClient, planned: Operation) => Promise<unknown>) {
  const client = await engine.client()
  await engine.settle()
  const planned = await client.supply(100n * USDC)
  await send(client, planned)
  await solana.devnet.mine(200)
  return { client, planned }
}

const submitted = (client: SolanaClient, planned: Operation) => client.submit(planned)
const sentAlone = (client: SolanaClient, planned: Operation) => client.send(planned)

async function expire(): Promise<void> {
  await expireBlockhashes(engine.parts, engine.chain, (await engine.chain.heads()).final)
}

async function expectCompleted(client: SolanaClient, planned: Operation): Promise<void> {
  expect(await client.operation(planned)).toMatchObject({ state: 'COMPLETED', settledAmount: 100n * USDC })
  await engine.settle()
  await expectValidLedger(engine)
  await expectLedgerMatchesChain(engine)
}

test('bytes whose hash has a status are not dead, although the list of their sender lacks them', async () => {
  const { client, planned } = await landed(submitted)
  answers = NO_LIST
  await expire()
  answers = {}
  await expectCompleted(client, planned)
})

test('bytes whose hash has a status wait until a node has their content', async () => {
  const { client, planned } = await landed(submitted)
  answers = { ...NO_LIST, getTransaction: { result: null } }
  await expect(expire()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect(await client.operation(planned)).toMatchObject({ state: 'CONFIRMING', transactions: [{ canStillLand: true }] })
  answers = {}
  await expire()
  await expectCompleted(client, planned)
})

test('bytes that a list names wait until a node has their content', async () => {
  const { client, planned } = await landed(sentAlone)
  answers = { getTransaction: { result: null } }
  await expect(expire()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  answers = {}
  await expire()
  await expectCompleted(client, planned)
})

test('a status of a hash that is another transaction does not keep bytes alive', async () => {
  const client = await engine.client()
  await engine.settle()
  const planned = await client.supply(100n * USDC)
  const foreign = await solana.fund(client.key.address, engine.strategy.tokenAddress, 1n)
  await engine.db
    .insertInto('transaction_hashes')
    .values({
      organization_id: client.scope.organizationId,
      blockchain: 'solana',
      tx_hash: foreign.hash,
      transaction_id: anyState(planned.transactions[0]!).transactionId,
      source: 'hash',
      raw: null,
      created_at: engine.clock.now(),
    })
    .execute()
  await solana.devnet.mine(200)
  await expire()
  expect((await client.operation(planned)).transactions).toMatchObject([{ canStillLand: false }])
})

test.each([
  ['refuses it', { error: { code: -32_004, message: 'Block not available for slot' } }],
  ['knows of none', { result: null }],
])('a node that lists an address and lacks the final block proves nothing: it %s', async (_way, getBlock) => {
  const { client, planned } = await landed(sentAlone)
  answers = { ...NO_LIST, getBlock }
  await expect(expire()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect((await client.operation(planned)).transactions).toMatchObject([{ canStillLand: true }])
  answers = {}
  await expire()
  await expectCompleted(client, planned)
})

test('fresh bytes that a lagging node does not take are not undone, and are sent again', async () => {
  const client = await engine.client()
  await engine.settle()
  const planned = await client.supply(100n * USDC)
  const data = { err: 'BlockhashNotFound', logs: [] }
  answers = {
    sendTransaction: { error: { code: -32_002, message: 'Blockhash not found', data } },
    isBlockhashValid: { result: { context: { slot: 1 }, value: false } },
  }
  await client.submit(planned)
  expect(await client.operation(planned)).toMatchObject({ state: 'CONFIRMING' })
  engine.clock.advance(6_000)
  await engine.settle()
  expect(await client.operation(planned)).toMatchObject({ state: 'CONFIRMING' })
  answers = {}
  engine.clock.advance(6_000)
  await engine.settle()
  await engine.settle()
  await expectCompleted(client, planned)
})

test('bytes that were sent before keep their hash, whatever a later sending returns', async () => {
  const client = await engine.client()
  await engine.settle()
  const planned = await client.supply(100n * USDC)
  const data = { err: 'BlockhashNotFound', logs: [] }
  answers = { sendTransaction: { error: { code: -32_002, message: 'Blockhash not found', data } } }
  await client.submit(planned)
  answers = {}
  const result = { outcome: 'stale', reason: 'expired' } as const
  const stale: typeof engine.chain = { ...engine.chain, broadcast: async () => result }
  const { raw, tx_hash: txHash } = await hashOf(planned)
  const [transaction] = (await client.operation(planned)).transactions
  const stored = {
    organizationId: client.scope.organizationId,
    submitted: { operationId: planned.operationId, transactionId: transaction!.transactionId, txHash },
    raw: raw!,
    lastValidBlockHeight: 1,
  }
  await recordBroadcastResult(engine.parts, stale, { ...stored, result, isResent: true })
  expect(await client.operation(planned)).toMatchObject({ state: 'CONFIRMING' })
  expect(await hashOf(planned)).toMatchObject({ tx_hash: txHash })
  await expect(broadcastStoredBytes(engine.parts, stale, stored)).rejects.toMatchObject({ code: 'OPERATION_EXPIRED' })
})

const hashOf = ({ transactions }: Operation) =>
  engine.db
    .selectFrom('transaction_hashes')
    .select(['tx_hash', 'raw'])
    .where('transaction_id', '=', transactions[0]!.transactionId)
    .executeTakeFirstOrThrow()

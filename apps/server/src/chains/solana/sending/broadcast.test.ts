import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  newKey,
  SOL,
  type SolanaKey,
  sign,
  startTestSolana,
  type TestSolana,
} from '../../../../testing/chains/test-solana.ts'
import { silentLog, systemClock } from '../../../kernel/index.ts'
import type { Fetch } from '../../rpc/endpoint.ts'
import { createSolanaChain } from '../create-solana-chain.ts'
import { transferNative } from '../transactions/instructions.ts'

interface RpcRequest {
  readonly id: number
  readonly method: string
  readonly params: readonly [unknown, { readonly minContextSlot?: number }?]
}

const LAGGING = 'http://lagging.test/'
const HEALTHY = 'http://healthy.test/'

let solana: TestSolana
/** The last slot of the lagging node; `undefined`: the node does not compare it. */
let laggingSlot: number | undefined
/** What its preflight finds. */
let found: unknown

beforeAll(async () => {
  solana = await startTestSolana()
})
afterAll(() => solana?.stop())
beforeEach(() => {
  laggingSlot = undefined
  found = 'BlockhashNotFound'
})

/** A node of the same cluster that lags behind, where that matters to a send. */
function lag({ method, params: [, options] }: RpcRequest): object | undefined {
  const minimum = options?.minContextSlot ?? 0
  if (method !== 'sendTransaction' && method !== 'isBlockhashValid' && method !== 'getBlockHeight') return undefined
  if (laggingSlot !== undefined && minimum > laggingSlot)
    return { error: { code: -32_016, message: 'Minimum context slot has not been reached' } }
  if (method === 'getBlockHeight') return { result: 0 }
  if (method === 'isBlockhashValid') return { result: { context: { slot: 0 }, value: false } }
  const data = { err: found, logs: [] }
  return { error: { code: -32_002, message: `Transaction simulation failed: ${JSON.stringify(found)}`, data } }
}

const route: Fetch = async (url, init) => {
  if (url !== LAGGING) return fetch(solana.devnet.url, init)
  const batch = JSON.parse(String(init.body)) as RpcRequest[]
  const passedOn = batch.map((one) => (one.method === 'sendTransaction' ? { ...one, method: 'getHealth' } : one))
  const received = await fetch(solana.devnet.url, { ...init, body: JSON.stringify(passedOn) })
  const responses = (await received.json()) as { id: number }[]
  return Response.json(
    responses.map((response) => {
      const { id } = response
      const late = lag(batch.find((request) => request.id === id)!)
      return late ? { jsonrpc: '2.0', id, ...late } : response
    }),
  )
}

const chainOf = (...rpcUrls: readonly string[]) =>
  createSolanaChain({
    network: solana.chain.network,
    rpcUrls,
    log: silentLog,
    clock: systemClock,
    fault: { fetch: route },
  })

async function signed(from: SolanaKey) {
  const { address } = await newKey()
  const senderState = await solana.chain.senderState(from.address)
  const call = { family: 'svm', instructions: [transferNative(from.address, address, SOL)] } as const
  const base = { sender: from.address, call, nonce: null, senderState, transactionId: 7 }
  const { bytes, lifetime } = solana.chain.encode({ ...base, gas: 50_000n })
  return { raw: await sign(from, bytes), last: lifetime!.lastValidBlockHeight }
}

const richWallet = () => solana.wallet(solana.devnet.deployment.tokens[0]!.address, 0n)

test('a node that does not know a fresh blockhash yet is passed over', async () => {
  const { raw, last } = await signed(await richWallet())
  expect(await chainOf(LAGGING).broadcast(raw, last)).toMatchObject({ outcome: 'unknown' })
  expect(await chainOf(LAGGING, HEALTHY).broadcast(raw, last)).toEqual({ outcome: 'accepted' })
})

test('a node whose preflight failed took nothing, so the refusal of the next one is definite', async () => {
  const { raw, last } = await signed(await newKey())
  const sent = await chainOf(LAGGING, HEALTHY).broadcast(raw, last)
  expect(sent).toMatchObject({ outcome: 'refused', code: 'INSUFFICIENT_GAS' })
})

test('a node that lacks the last final block refuses nothing', async () => {
  const { raw, last } = await signed(await richWallet())
  const chain = chainOf(LAGGING, HEALTHY)
  const { final } = await chain.heads()
  laggingSlot = final.number - 1
  found = 'AccountNotFound'
  expect(await chain.broadcast(raw, last)).toEqual({ outcome: 'accepted' })
})

test('bytes are stale once any node has reported a height above their last', async () => {
  const { raw, last } = await signed(await richWallet())
  await solana.devnet.mine(149)
  expect(await chainOf(HEALTHY).broadcast(raw, last)).toMatchObject({ outcome: 'accepted' })
  const late = await signed(await richWallet())
  await solana.devnet.mine(151)
  expect(await chainOf(HEALTHY).broadcast(late.raw, late.last)).toMatchObject({ outcome: 'stale' })
  const chain = chainOf(LAGGING)
  expect(await chain.broadcast(late.raw, late.last)).toMatchObject({ outcome: 'unknown' })
  await chain.heads()
  expect(await chain.broadcast(late.raw, late.last)).toMatchObject({ outcome: 'stale' })
})

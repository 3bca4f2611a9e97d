// Also tested in: chains/rpc/rpc.test.ts (batches that every node takes), chains/rpc/probe-endpoint.test.ts (doctor).

import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  ManualClock,
  RPC_BATCH_PARTS_TIMEOUTS_MAX,
  RPC_BATCH_SIZE_RETRY_MS,
  silentLog,
  systemClock,
} from '../../kernel/index.ts'
import { startTestNode, type TestNode } from '../evm/test-node.ts'
import { dialectOf } from './dialects.ts'
import { createEndpoint, type Fetch } from './endpoint.ts'
import { guardEndpoint } from './guarded-endpoint.ts'

let node: TestNode
beforeAll(async () => {
  node = await startTestNode()
})
afterAll(() => node.stop())

interface Reply {
  readonly status: number
  readonly body: unknown
}
type Call = { readonly id: number; readonly method: string }

/** Refuses a batch, or undefined: the node answers it. */
type Refuse = (calls: readonly Call[]) => Reply | undefined | Promise<Reply | undefined>

/** The node behind a provider's proxy, which notes how many calls each HTTP request has, and how many run at once. */
async function provider(refuse: Refuse) {
  const sizes: number[] = []
  const methods: string[] = []
  const load = { now: 0, most: 0 }
  const server = createServer(async (request, response) => {
    load.now += 1
    load.most = Math.max(load.most, load.now)
    let text = ''
    for await (const part of request) text += part
    const calls = JSON.parse(text) as Call[]
    sizes.push(calls.length)
    methods.push(...calls.map(({ method }) => method))
    const refusal = await refuse(calls)
    const headers = { 'content-type': 'application/json' }
    const passOn = async () => await (await fetch(node.url, { method: 'POST', headers, body: text })).text()
    // A node that was stopped meanwhile is like a broken connection.
    const { status, body } = refusal ?? { status: 200, body: await passOn().catch(() => undefined) }
    load.now -= 1
    if (body === undefined) response.destroy()
    else response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, sizes, methods, load }
}

/** A chain with this endpoint alone. */
function follow(url: string) {
  const clock = new ManualClock()
  const logged: { level: number; msg: string; endpoint: string }[] = []
  const log = pino({ base: null }, { write: (line) => void logged.push(JSON.parse(line)) })
  return { chain: node.chain({ rpcUrls: [url], clock, log }), clock, logged }
}

/** This endpoint alone, below the order of endpoints. */
const guard = (url: string, { fetchIt = fetch as Fetch, monotonicMs = () => performance.now() } = {}) =>
  guardEndpoint(createEndpoint({ url, fetch: fetchIt }), {
    dialect: dialectOf(node.network),
    clock: systemClock,
    monotonicMs,
    log: silentLog,
    blockchain: 'polygon',
  })

const hashes = (count: number) => Array.from({ length: count }, (_, at) => `0x${String(at).padStart(64, '0')}`)
const nothing = (count: number) => hashes(count).map(() => undefined)
const error = (code: number, message: string) => ({ jsonrpc: '2.0', id: null, error: { code, message } })

test.each<[string, number, (calls: readonly Call[]) => Reply]>([
  ['one error for the batch, with status 500', 3, () => ({ status: 500, body: error(31, 'Batch of more than 3') })],
  ['one error for the batch, with status 400', 10, () => ({ status: 400, body: error(-32_600, 'too many RPC calls') })],
  ['one error for the batch, with status 200', 100, () => ({ status: 200, body: error(-32_600, 'too large') })],
  ['a result for the batch', 20, () => ({ status: 200, body: { jsonrpc: '2.0', id: 0, result: '0x1' } })],
  ['the code of a rate limit', 50, () => ({ status: 200, body: error(-32_005, 'exceeds max batch size') })],
  ['the status of a rate limit', 5, () => ({ status: 429, body: error(-32_000, 'batch size is limited') })],
  ['a text with status 413', 1, () => ({ status: 413, body: 'Payload Too Large' })],
  ['a list without ids', 7, () => ({ status: 200, body: [error(-32_600, 'batch too large')] })],
  [
    'a list with the first id',
    2,
    ([call]) => ({ status: 200, body: [{ ...error(-32_600, 'too large'), id: call!.id }] }),
  ],
  ['an empty list', 30, () => ({ status: 200, body: [] })],
])('a node that refuses a batch by %s, and takes %i calls, serves in smaller batches', async (_, most, refusal) => {
  const { url, host, sizes, load } = await provider((calls) => (calls.length > most ? refusal(calls) : undefined))
  const { chain, logged } = follow(url)
  expect(await chain.findTransactions(hashes(120))).toEqual(nothing(120))
  const taken = sizes.filter((size) => size <= most)
  // Both deliveries may identify the chain.
  expect(taken.reduce((sum, size) => sum + size, 0) - 120).toBeOneOf([1, 2])
  expect(load.most).toBeLessThanOrEqual(2)
  sizes.length = 0
  expect(await chain.findTransactions(hashes(20))).toEqual(nothing(20))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(most)
  const words = /^node takes batches of at most \d+ calls?$/
  if (most < 100)
    expect(logged).toEqual([expect.objectContaining({ level: 30, endpoint: host, msg: expect.stringMatching(words) })])
  else expect(logged).toEqual([])
})

test('responses keep the order of the requests, across batches of any size', async () => {
  const { url, sizes } = await provider((calls) => (calls.length > 3 ? { status: 500, body: '' } : undefined))
  const owners = Array.from({ length: 10 }, (_, at) => `0xdead${String(at).padStart(36, '0')}`)
  await node.rpc('anvil_setBalance', owners[7], '0x7')
  const endpoint = guard(url)
  const requests = owners.map((owner) => ({ method: 'eth_getBalance', params: [owner, 'latest'] }))
  const responses = await endpoint.send(requests, 5_000)
  expect(responses).toEqual(owners.map((_, at) => ({ ok: true, result: at === 7 ? '0x7' : '0x0' })))
  expect(sizes).toEqual([11, 5, 2, 2, 2, 2, 2, 1])
})

test('the size that worked is used at once, and larger batches are tried again after a while', async () => {
  let most = 10
  const { url, sizes } = await provider((calls) => (calls.length > most ? { status: 400, body: '' } : undefined))
  const { chain, clock, logged } = follow(url)
  await chain.findTransactions(hashes(30))
  expect(sizes.splice(0)).toEqual([31, 15, 7, 7, 7, 7, 3])
  await chain.findTransactions(hashes(30))
  expect(sizes.splice(0)).toEqual([7, 7, 7, 7, 2])
  clock.advance(RPC_BATCH_SIZE_RETRY_MS)
  await chain.findTransactions(hashes(30))
  expect(sizes.splice(0)).toEqual([30, 15, 7, 7, 7, 7, 2])
  expect(logged.map(({ msg }) => msg)).toEqual(['node takes batches of at most 7 calls'])
  most = 100
  clock.advance(RPC_BATCH_SIZE_RETRY_MS)
  await chain.findTransactions(hashes(30))
  expect(sizes).toEqual([30])
})

test('no batch has more calls than providers take, the one that identifies the chain included', async () => {
  const { url, sizes } = await provider(() => undefined)
  await guard(url).send(
    hashes(100).map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })),
    5_000,
  )
  expect(sizes).toEqual([100, 1])
})

test.each([401, 403, 404, 429, 502, 503])(
  'a node that answers with status %i is asked once, and rests',
  async (status) => {
    const { url, sizes } = await provider(() => ({ status, body: 'no' }))
    const { chain, logged } = follow(url)
    await expect(chain.findTransactions(hashes(30))).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    expect(sizes).toEqual([31])
    expect(logged.map(({ msg }) => msg)).toEqual(['node unavailable'])
  },
)

test('a node that answers no batch in time is asked once', async () => {
  const arrivals = new EventEmitter()
  const { url, sizes } = await provider(() => {
    arrivals.emit('batch')
    return new Promise(() => {})
  })
  // A request times out only after the node has it, however slow the machine is.
  const fetchIt: Fetch = async (to, { signal, ...init }) => {
    const arrived = once(arrivals, 'batch')
    const response = fetch(to, init)
    await Promise.race([arrived, response])
    if (!signal!.aborted) await once(signal!, 'abort')
    response.catch(() => undefined)
    throw signal!.reason
  }
  const requests = hashes(30).map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] }))
  await expect(guard(url, { fetchIt }).send(requests, 100)).rejects.toMatchObject({ kind: 'timeout' })
  expect(sizes).toEqual([31])
})

test('a node that refuses even single calls fails after a few requests, and a size learns nothing from it', async () => {
  let isBroken = true
  const { url, sizes } = await provider(() => (isBroken ? { status: 500, body: 'oops' } : undefined))
  const { chain, logged } = follow(url)
  await expect(chain.findTransactions(hashes(100))).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect(sizes.splice(0)).toEqual([100, 50, 25, 12, 6, 3, 1])
  isBroken = false
  await chain.findTransactions(hashes(90))
  expect(sizes).toEqual([91])
  expect(logged.map(({ msg }) => msg)).toEqual(['node unavailable', 'node available again'])
})

test('a call that a node refuses by itself makes no later batch smaller', async () => {
  const isPoison = ({ method }: Call) => method === 'eth_getCode'
  const { url, sizes } = await provider((calls) => (calls.some(isPoison) ? { status: 500, body: 'oops' } : undefined))
  const endpoint = guard(url)
  const reads = hashes(30).map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] }))
  const poison = { method: 'eth_getCode', params: [node.token, 'latest'] }
  await expect(endpoint.send([...reads, poison], 5_000)).rejects.toThrow('HTTP 500')
  sizes.length = 0
  await endpoint.send(reads, 5_000)
  expect(sizes).toEqual([31])
})

test('one bad answer to a small batch teaches nothing to an endpoint that takes large ones', async () => {
  let isIll = false
  const { url, sizes } = await provider(() => (isIll ? { status: 500, body: 'oops' } : undefined))
  const endpoint = guard(url)
  const reads = hashes(30).map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] }))
  await endpoint.send(reads, 5_000)
  isIll = true
  await expect(endpoint.send(reads.slice(0, 2), 5_000)).rejects.toThrow('HTTP 500')
  isIll = false
  sizes.length = 0
  await endpoint.send(reads, 5_000)
  expect(sizes).toEqual([31])
})

test('a transaction is sent once, whatever the answer', async () => {
  const { url, methods } = await provider(() => ({ status: 500, body: error(-32_600, 'batch too large') }))
  const send = { method: 'eth_sendRawTransaction', params: ['0x00'] }
  await expect(guard(url).send([send], 5_000)).rejects.toThrow('HTTP 500')
  expect(methods).toEqual(['eth_sendRawTransaction', 'eth_chainId'])
})

test('a node of single calls identifies the chain by itself before the transaction', async () => {
  const { url, methods } = await provider((calls) => (calls.length > 1 ? { status: 500, body: '' } : undefined))
  const endpoint = guard(url)
  await endpoint.send([{ method: 'eth_blockNumber', params: [] }], 5_000)
  endpoint.refuse({ method: 'eth_call', params: [] }, { ok: false, error: { code: 0, message: '', data: undefined } })
  methods.length = 0
  await endpoint.send([{ method: 'eth_sendRawTransaction', params: ['0x00'] }], 5_000)
  expect(methods).toEqual(['eth_chainId', 'eth_sendRawTransaction'])
})

test('a node of another chain gets the first part only', async () => {
  const { url, sizes } = await provider((calls) => (calls.length > 3 ? { status: 500, body: '' } : undefined))
  const chain = node.chain({ rpcUrls: [url], network: { ...node.network, chainId: 1 } })
  await expect(chain.findTransactions(hashes(30))).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect(sizes).toEqual([31, 15, 7, 3])
})

test('many small batches of a slow node end at the time that they have together', async () => {
  const timeoutMs = 10_000
  let nowMs = 0
  const { url, sizes } = await provider((calls) => {
    if (calls.length > 1) return { status: 500, body: '' }
    nowMs += 0.9 * timeoutMs
    return undefined
  })
  const requests = hashes(60).map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] }))
  const sent = guard(url, { monotonicMs: () => nowMs }).send(requests, timeoutMs)
  await expect(sent).rejects.toMatchObject({ kind: 'timeout' })
  const singles = sizes.filter((size) => size === 1)
  expect(singles.length).toBe(Math.ceil(RPC_BATCH_PARTS_TIMEOUTS_MAX / 0.9))
})

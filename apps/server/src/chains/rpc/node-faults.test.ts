import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '../../kernel/index.ts'
import { startTestNode, type TestNode } from '../evm/test-node.ts'
import type { EvmChain } from '../port/families.ts'
import type { Fetch } from './endpoint.ts'
import type { RpcEndpointStatus, RpcObserver } from './rpc-observer.ts'

let node: TestNode
let other: TestNode

beforeAll(async () => {
  ;[node, other] = await Promise.all([startTestNode(), startTestNode()])
})
afterAll(() => Promise.all([node.stop(), other.stop()]))

const host = (url: string) => new URL(url).host

/** These endpoints answer these methods with an error. */
const refusing =
  (urls: readonly string[], methods: readonly string[], error: object): Fetch =>
  async (to, init) => {
    const response = await fetch(to, init)
    if (!urls.some((url) => to.includes(host(url)))) return response
    const requests = JSON.parse(String(init.body)) as { id: number; method: string }[]
    const refused = new Set(requests.filter(({ method }) => methods.includes(method)).map(({ id }) => id))
    const responses = (await response.json()) as { id: number }[]
    return Response.json(responses.map((one) => (refused.has(one.id) ? { jsonrpc: '2.0', id: one.id, error } : one)))
  }

test.each([-32_603, -32_000, -32_001])(
  'an endpoint that answers every read with error %i rests, and the next one serves',
  async (code) => {
    const clock = new ManualClock()
    const hosts: string[] = []
    const logged: string[] = []
    const log = pino({ base: null }, { write: (line) => void logged.push(JSON.parse(line).msg) })
    const fetching = refusing([other.url], ['eth_getBlockByNumber'], { code, message: 'quota exceeded' })
    const onRequest = (name: string) => hosts.push(name)
    const chain = node.chain({ rpcUrls: [other.url, node.url], clock, log, fault: { fetch: fetching }, onRequest })
    expect(await chain.heads()).toHaveProperty('latest')
    expect(hosts.splice(0)).toEqual([host(other.url), host(node.url)])
    await chain.heads()
    expect(hosts.splice(0)).toEqual([host(node.url)])
    // Each failure lets it rest twice as long as the one before.
    clock.advance(5_000)
    await chain.heads()
    expect(hosts.splice(0)).toEqual([host(other.url), host(node.url)])
    clock.advance(5_000)
    await chain.heads()
    expect(hosts.splice(0)).toEqual([host(node.url)])
    expect(logged).toEqual(['node unavailable'])
  },
)

test('a read that every endpoint refuses is CHAIN_UNAVAILABLE, and lets none of them rest', async () => {
  let health: () => readonly RpcEndpointStatus[] = () => []
  const observer: RpcObserver = {
    requested: () => {},
    watch(_blockchain, read) {
      health = read
    },
  }
  const fetching = refusing([other.url, node.url], ['eth_getBlockByNumber'], {
    code: -32_602,
    message: 'invalid params',
  })
  const chain = node.chain({ rpcUrls: [other.url, node.url], observer, fault: { fetch: fetching } })
  for (let tries = 0; tries < 3; tries += 1)
    await expect(chain.heads()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect(health().map((one) => one.health)).toEqual(['available', 'available'])
  expect(chain.isResting()).toBe(false)
})

test('a revert is an answer, whatever its code; an internal error of a node is not one', async () => {
  const wallet = '0x000000000000000000000000000000000000dEaD'
  const call = { family: 'evm', to: wallet, data: '0x', value: 0n } as const
  const hosts: string[] = []
  const simulating = async (message: string) => {
    const fetching = refusing([other.url], ['eth_simulateV1'], { code: -32_603, message })
    const onRequest = (name: string) => hosts.push(name)
    const chain = node.chain({ rpcUrls: [other.url, node.url], fault: { fetch: fetching }, onRequest })
    const { ok } = await chain.simulate(wallet, [call])
    return { ok, hosts: hosts.splice(0) }
  }
  expect(await simulating('execution reverted')).toEqual({ ok: false, hosts: [host(other.url)] })
  expect(await simulating('internal error')).toEqual({ ok: true, hosts: [host(other.url), host(node.url)] })
})

test('a method that a node lacks, by whatever code, delays nothing that it has', async () => {
  const wallet = '0x000000000000000000000000000000000000dEaD'
  const hosts: string[] = []
  const lacking = (message: string) => {
    const fetching = refusing([node.url], ['eth_maxPriorityFeePerGas'], { code: -32_603, message })
    const silent: Fetch = (to, init) =>
      to.includes(host(other.url)) ? Promise.reject(new TypeError('fetch failed')) : fetching(to, init)
    const onRequest = (name: string) => hosts.push(name)
    return node.chain({ rpcUrls: [node.url, other.url], fault: { fetch: silent }, onRequest })
  }
  await lacking('the method eth_maxPriorityFeePerGas is not available').senderState(wallet)
  expect(hosts.splice(0)).not.toContain(host(other.url))
  const chain = lacking('internal error')
  // The other one does not respond, and rests.
  await chain.senderState(wallet)
  hosts.splice(0)
  await chain.senderState(wallet)
  expect(hosts.splice(0)).not.toContain(host(other.url))
})

const NOBODY = '0x000000000000000000000000000000000000dEaD'
const TRANSFER = { family: 'evm', to: NOBODY, data: '0x', value: 0n } as const
const OPTIONAL_METHODS = ['eth_simulateV1', 'eth_getBlockReceipts', 'debug_traceTransaction']

test.each(['rpc method is not whitelisted', 'method eth_call is not in the whitelist', 'eth_call is not allowlisted'])(
  'a method of which a node says "%s", with HTTP 403, is one that it lacks',
  async (message) => {
    const whole = await node.chain().block(1)
    const refusal = refusing([node.url], OPTIONAL_METHODS, { code: -32_001, message })
    const forbidding: Fetch = async (to, init) => {
      const response = await refusal(to, init)
      return new Response(await response.text(), { status: 403 })
    }
    const hosts: string[] = []
    const onRequest = (name: string) => hosts.push(name)
    const chain = node.chain({ rpcUrls: [node.url, other.url], fault: { fetch: forbidding }, onRequest })
    expect(await chain.simulate(NOBODY, [TRANSFER])).toMatchObject({ ok: true })
    expect(await chain.block(1)).toEqual(whole)
    expect(hosts).not.toContain(host(other.url))
  },
)

test('one answer of a provider that sheds load is no lack of a method', async () => {
  let refusals = 0
  const busy: Fetch = async (url, init) => {
    const requests = JSON.parse(String(init.body)) as { id: number; method: string }[]
    const asked = requests.find(({ method }) => method === 'eth_getBlockReceipts')
    const responses = (await (await fetch(url, init)).json()) as { id: number }[]
    if (!asked || refusals++ > 0) return Response.json(responses)
    const error = { code: -32_001, message: 'Unable to complete request at this time.' }
    return Response.json(responses.map((one) => (one.id === asked.id ? { jsonrpc: '2.0', id: one.id, error } : one)))
  }
  let requests = 0
  const chain = node.chain({ rpcUrls: [node.url], fault: { fetch: busy }, onRequest: () => requests++ })
  await chain.block(1).catch(() => undefined)
  requests = 0
  expect(await chain.block(1)).toEqual(await node.chain().block(1))
  expect(requests).toBe(1)
})

test.each([-32_004])('a method that not every node has is lacking where each node refuses it with %i', async (code) => {
  const whole = await node.chain().block(1)
  const error = { code, message: 'resource not available' }
  const urls = [node.url, other.url]
  const none = node.chain({ rpcUrls: urls, fault: { fetch: refusing(urls, OPTIONAL_METHODS, error) } })
  expect(await none.simulate(NOBODY, [TRANSFER])).toMatchObject({ ok: true })
  expect(await none.block(1)).toEqual(whole)

  // Without a simulation, the second call has a gas limit that nobody estimated.
  const one = node.chain({ rpcUrls: urls, fault: { fetch: refusing([node.url], OPTIONAL_METHODS, error) } })
  const gasOfSecond = async (chain: EvmChain) => {
    const simulated = await chain.simulate(NOBODY, [TRANSFER, TRANSFER])
    return simulated.ok ? simulated.gas[1] : undefined
  }
  expect(await gasOfSecond(none)).toBe(900_000n)
  expect(await gasOfSecond(one)).toBeLessThan(100_000n)

  // The service cannot do without this one: the same code is a refusal.
  const useless = refusing(urls, ['eth_estimateGas', 'eth_simulateV1'], error)
  await expect(
    node.chain({ rpcUrls: urls, fault: { fetch: useless } }).simulate(NOBODY, [TRANSFER]),
  ).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
})

test('an error of the call itself is no lack of a method, whatever its code', async () => {
  const urls = [node.url, other.url]
  const reverting = refusing(urls, ['eth_simulateV1'], {
    code: -32_004,
    message: 'execution reverted: method is not whitelisted',
  })
  const chain = node.chain({ rpcUrls: urls, fault: { fetch: reverting } })
  expect(await chain.simulate(NOBODY, [TRANSFER])).toMatchObject({ ok: false })
})

test('a node that refuses what the next one lacks does not rest', async () => {
  const refuse = (error: object) => refusing([node.url], ['eth_getBlockReceipts'], error)
  const unavailable = refuse({ code: -32_001, message: 'resource not available' })
  const lacking = refuse({ code: -32_601, message: 'the method does not exist' })
  const hosts: string[] = []
  const chain = node.chain({
    rpcUrls: ['http://first.example', 'http://second.example'],
    // Both are the same node.
    fault: { fetch: (to, init) => (to.includes('first') ? unavailable : lacking)(node.url, init) },
    onRequest: (name) => hosts.push(name),
  })
  expect(await chain.block(1)).toEqual(await node.chain().block(1))
  hosts.length = 0
  await chain.heads()
  expect(hosts).toEqual(['first.example'])
})

import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '../../kernel/index.ts'
import { startTestNode, type TestNode } from '../evm/test-node.ts'
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

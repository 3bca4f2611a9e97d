import { Writable } from 'node:stream'
import { freePort } from '@weir/devnet/free-port'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../../testing/index.ts'
import { ManualClock, RPC_ABSENCE_MS } from '../../kernel/index.ts'
import { startTestNode, type TestNode } from '../evm/test-node.ts'
import { PastStateMissingError } from '../port/past-state-missing.ts'
import type { Fetch } from './endpoint.ts'
import type { RpcEndpointStatus, RpcObserver } from './rpc-observer.ts'

let node: TestNode
let other: TestNode
let dead: string

beforeAll(async () => {
  ;[node, other] = await Promise.all([startTestNode(), startTestNode()])
  dead = `http://127.0.0.1:${await freePort()}`
})
afterAll(() => Promise.all([node.stop(), other.stop()]))

const host = (url: string) => new URL(url).host

test('an unresponsive endpoint is skipped, cools down, and is tried again afterwards', async () => {
  const clock = new ManualClock()
  const hosts: string[] = []
  const chain = node.chain({ rpcUrls: [dead, node.url], clock, onRequest: (name) => hosts.push(name) })
  await chain.heads()
  expect(hosts.splice(0)).toEqual([host(dead), host(node.url)])
  await chain.heads()
  expect(hosts.splice(0)).toEqual([host(node.url)])
  clock.advance(60_000)
  await chain.heads()
  expect(hosts.splice(0)).toEqual([host(dead), host(node.url)])
})

test('a chain rests once every endpoint failed twice in a row, until one responds or its rest is over', async () => {
  const clock = new ManualClock()
  let isDown = true
  const fault = { fetch: ((url, init) => fetch(isDown ? dead : url, init)) as Fetch }
  const chain = node.chain({ rpcUrls: [node.url], clock, fault })
  const fails = () => expect(chain.heads()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  await fails()
  expect(chain.isResting()).toBe(false)
  await fails()
  expect(chain.isResting()).toBe(true)
  clock.advance(60_000)
  expect(chain.isResting()).toBe(false)
  await fails()
  expect(chain.isResting()).toBe(true)
  isDown = false
  await chain.heads()
  expect(chain.isResting()).toBe(false)
})

test('without a responsive endpoint, every read is CHAIN_UNAVAILABLE', async () => {
  const chain = node.chain({ rpcUrls: [dead] })
  const wallet = '0x000000000000000000000000000000000000dEaD'
  const verbs: (() => Promise<unknown>)[] = [
    () => chain.heads(),
    () => chain.block(1),
    () => chain.genesisHash(),
    () => chain.balances([{ owner: wallet, token: 'native' }]),
    () => chain.senderState(wallet),
    () => chain.simulate(wallet, [{ family: 'evm', to: wallet, data: '0x', value: 0n }]),
    () => chain.findTransactions([`0x${'00'.repeat(32)}`]),
    () => chain.finalNonces([wallet]),
  ]
  for (const verb of verbs) await expect(verb()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
})

test('an endpoint of another chain is never trusted', async () => {
  const chain = node.chain({ network: { ...node.network, chainId: 1 } })
  await expect(chain.heads()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
})

test('a secret in an endpoint URL appears in no error', async () => {
  const chain = node.chain({ rpcUrls: [`${dead}/v2/top-secret-key`] })
  const error = await chain.heads().catch((thrown: Error) => thrown)
  expect(String((error as Error).cause)).toContain(host(dead))
  expect(`${error} ${(error as Error).cause}`).not.toContain('top-secret')
})

test('reads that overlap while an endpoint is identified get their own responses', async () => {
  const overlaps = Promise.withResolvers<void>()
  const identified = Promise.withResolvers<void>()
  let calls = 0
  const overlapping: Fetch = async (url, init) => {
    calls += 1
    const place = calls
    const response = await fetch(url, init)
    if (place === 1) await overlaps.promise
    if (place === 2) await identified.promise
    return response
  }
  const chain = node.chain({ fault: { fetch: overlapping } })
  const first = chain.heads()
  await until(() => calls === 1)
  const second = chain.balances([{ owner: node.token, token: node.token }])
  await until(() => calls === 2)
  overlaps.resolve()
  await first
  identified.resolve()
  expect(await second).toEqual([0n])
})

test('responses are matched by id, not by position; a missing one counts as no response', async () => {
  const shuffled: Fetch = async (url, init) => {
    const responses = (await (await fetch(url, init)).json()) as unknown[]
    return Response.json(responses.reverse())
  }
  const chain = node.chain({ fault: { fetch: shuffled } })
  const [heads, balances] = await Promise.all([
    chain.heads(),
    chain.balances([{ owner: node.token, token: node.token }]),
  ])
  expect(heads.latest.number).toBeGreaterThan(0)
  expect(balances).toEqual([0n])

  const torn: Fetch = async (url, init) => {
    const responses = (await (await fetch(url, init)).json()) as unknown[]
    return Response.json(responses.slice(1))
  }
  await expect(node.chain({ fault: { fetch: torn } }).heads()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
})

test('an endpoint that reports "too many requests" passes the work to the next', async () => {
  const busy: Fetch = async (url, init) => {
    if (!url.includes(host(other.url))) return fetch(url, init)
    const requests = JSON.parse(String(init.body)) as { id: number }[]
    return Response.json(
      requests.map(({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32_005, message: 'limit exceeded' } })),
    )
  }
  const hosts: string[] = []
  const chain = node.chain({
    rpcUrls: [other.url, node.url],
    fault: { fetch: busy },
    onRequest: (name) => hosts.push(name),
  })
  await chain.heads()
  expect(hosts).toEqual([host(other.url), host(node.url)])
})

test('a read of state that one node does not keep goes to the next, and from then on to it first', async () => {
  const wallet = '0x000000000000000000000000000000000000dEaD'
  const forgetful: Fetch = async (url, init) => {
    const response = await fetch(url, init)
    if (!url.includes(host(other.url))) return response
    const requests = JSON.parse(String(init.body)) as { id: number; method: string; params: unknown[] }[]
    const responses = (await response.json()) as { id: number }[]
    const isPast = (id: number) => requests.some((one) => one.id === id && String(one.params[1]).startsWith('0x'))
    const error = { code: -32_000, message: 'missing trie node 5a6e2c (path )' }
    return Response.json(responses.map((one) => (isPast(one.id) ? { jsonrpc: '2.0', id: one.id, error } : one)))
  }
  const clock = new ManualClock()
  const hosts: string[] = []
  const logged: string[] = []
  const log = pino({ base: null }, { write: (line) => void logged.push(JSON.parse(line).msg) })
  let status: () => readonly RpcEndpointStatus[] = () => []
  const observer: RpcObserver = {
    requested: () => {},
    watch: (_blockchain, read) => {
      status = read
    },
  }
  const rpcUrls = [other.url, node.url]
  const onRequest = (name: string) => hosts.push(name)
  const chain = node.chain({ rpcUrls, clock, log, observer, fault: { fetch: forgetful }, onRequest })
  const past = () => chain.balances([{ owner: wallet, token: 'native' }], 1)
  expect(await past()).toEqual([0n])
  expect(hosts.splice(0)).toEqual([host(other.url), host(node.url)])
  expect(await past()).toEqual([0n])
  expect(hosts.splice(0)).toEqual([host(node.url)])
  await chain.heads()
  expect(hosts.splice(0)).toEqual([host(other.url)])
  expect(status().map(({ lacksState }) => lacksState)).toEqual([true, false])
  clock.advance(600_001)
  expect(status().map(({ lacksState }) => lacksState)).toEqual([false, false])
  await past()
  expect(hosts.splice(0)).toEqual([host(other.url), host(node.url)])
  expect(logged).toEqual(['node does not keep the state of past blocks'])

  const alone = node.chain({ rpcUrls: [other.url], fault: { fetch: forgetful } })
  await expect(alone.balances([{ owner: wallet, token: 'native' }], 1)).rejects.toThrow(PastStateMissingError)
  await expect(alone.heads()).resolves.toHaveProperty('latest')
})

test('a refusal counts for nothing while another endpoint may keep that state, and again once it is away for long', async () => {
  const clock = new ManualClock()
  const forgetful: Fetch = async (url, init) => {
    const response = await fetch(url, init)
    const requests = JSON.parse(String(init.body)) as { id: number; method: string }[]
    const responses = (await response.json()) as { id: number }[]
    const reads = new Set(requests.filter(({ method }) => method === 'eth_call').map(({ id }) => id))
    const error = { code: -32_000, message: 'missing trie node 5a6e2c (path )' }
    return Response.json(responses.map((one) => (reads.has(one.id) ? { jsonrpc: '2.0', id: one.id, error } : one)))
  }
  const chain = node.chain({ rpcUrls: [node.url, dead], clock, fault: { fetch: forgetful } })
  const past = () => chain.balances([{ owner: node.token, token: 'native' }], 1).catch((error: unknown) => error)
  const first = await past()
  expect(first).toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect(first).not.toBeInstanceOf(PastStateMissingError)
  clock.advance(RPC_ABSENCE_MS)
  expect(await past()).toBeInstanceOf(PastStateMissingError)
})

test('a read whose connection breaks is retried once; a failing node is not retried forever', async () => {
  let losses = 1
  const breaking: Fetch = (url, init) =>
    losses-- > 0
      ? Promise.reject(new TypeError('fetch failed', { cause: { code: 'UND_ERR_SOCKET' } }))
      : fetch(url, init)
  const chain = node.chain({ fault: { fetch: breaking } })
  expect(await chain.heads()).toHaveProperty('latest')
  losses = 2
  await expect(chain.heads()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
})

test.each([
  ['weir:p%40ss', 'weir:p@ss'],
  ['weir:100%', 'weir:100%'],
  [':token', ':token'],
])('user and password in an endpoint URL with %s are sent as a header', async (user, credentials) => {
  const sent: unknown[] = []
  const spy: Fetch = (url, init) => {
    sent.push(url, (init.headers as Record<string, string>).authorization)
    return fetch(url, init)
  }
  const chain = node.chain({ rpcUrls: [node.url.replace('//', `//${user}@`)], fault: { fetch: spy } })
  await chain.heads()
  expect(sent).toEqual([`${node.url}/`, `Basic ${Buffer.from(credentials).toString('base64')}`])
})

test('more calls in one tick than providers accept are split into several requests', async () => {
  let requests = 0
  const chain = node.chain({ onRequest: () => requests++ })
  await chain.heads()
  requests = 0
  const hashes = Array.from({ length: 250 }, (_, index) => `0x${index.toString(16).padStart(64, '0')}`)
  expect(await chain.findTransactions(hashes)).toEqual(hashes.map(() => undefined))
  expect(requests).toBe(3)
})

test('each request is measured by host and outcome, and the health of endpoints can be read', async () => {
  const requests: string[] = []
  let health: () => readonly RpcEndpointStatus[] = () => []
  const observer: RpcObserver = {
    requested: ({ blockchain, endpoint, outcome }) => requests.push(`${blockchain} ${endpoint} ${outcome}`),
    watch(_blockchain, read) {
      health = read
    },
  }
  const clock = new ManualClock()
  const chain = node.chain({ rpcUrls: [`${dead}/v2/top-secret-key`, node.url], clock, observer })
  expect(health().map((one) => one.health)).toEqual(['unverified', 'unverified'])
  await chain.heads()
  expect(requests.splice(0)).toEqual([`polygon ${host(dead)} refused`, `polygon ${host(node.url)} ok`])
  expect(health()).toEqual([
    { name: host(dead), health: 'resting', lacksState: false },
    { name: host(node.url), health: 'available', lacksState: false },
  ])
  clock.advance(60_000)
  expect(health()[0]!.health).toBe('unverified')
})

test('an endpoint that stays away is logged once, and once with count and duration when it is back', async () => {
  const lines: Record<string, unknown>[] = []
  const log = pino(new Writable({ write: (line, _, done) => done(void lines.push(JSON.parse(String(line)))) }))
  const clock = new ManualClock()
  let isAway = true
  const fault = {
    fetch: (async (url, init) => {
      if (isAway) throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })
      return fetch(url, init)
    }) satisfies Fetch,
  }
  const chain = node.chain({ clock, log, fault })
  for (let tries = 0; tries < 3; tries += 1) {
    await expect(chain.heads()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    clock.advance(60_000)
  }
  isAway = false
  await chain.heads()
  expect(lines.map(({ msg, failures, seconds }) => ({ msg, failures, seconds }))).toEqual([
    { msg: 'node unavailable', failures: undefined, seconds: undefined },
    { msg: 'node available again', failures: 3, seconds: 180 },
  ])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock } from '../../kernel/index.ts'
import { freePort, startTestNode, type TestNode } from '../evm/test-node.ts'
import type { Fetch } from './endpoint.ts'

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

test('user and password in an endpoint URL are sent as a header', async () => {
  const sent: unknown[] = []
  const spy: Fetch = (url, init) => {
    sent.push(url, (init.headers as Record<string, string>).authorization)
    return fetch(url, init)
  }
  const chain = node.chain({ rpcUrls: [node.url.replace('//', '//weir:p%40ss@')], fault: { fetch: spy } })
  await chain.heads()
  expect(sent).toEqual([`${node.url}/`, `Basic ${Buffer.from('weir:p@ss').toString('base64')}`])
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

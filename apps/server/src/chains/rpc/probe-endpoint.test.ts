import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startTestNode, type TestNode } from '../evm/test-node.ts'
import type { Network } from '../port/networks.ts'
import { probeEndpoint } from './probe-endpoint.ts'

let node: TestNode
beforeAll(async () => {
  node = await startTestNode()
  await node.rpc('anvil_mine', '0x64', '0x1')
})
afterAll(() => node.stop())

const networkOf = (more: Partial<Network> = {}): Network => ({
  ...node.network,
  finality: 'depth',
  confirmations: 50,
  ...more,
})

/** By the chain's clock, from `depth` blocks before the latest to the latest. The node's blocks are a second or two apart. */
async function secondsBefore(depth: number): Promise<number> {
  const timeOf = async (tag: string) =>
    await node.rpc<{ number: string; timestamp: string }>('eth_getBlockByNumber', tag, false)
  const latest = await timeOf('latest')
  const earlier = await timeOf(`0x${(Number(latest.number) - depth).toString(16)}`)
  return Number(latest.timestamp) - Number(earlier.timestamp)
}

/** The node behind a proxy that changes a response before it is passed on; undefined breaks the connection. */
async function changed(
  change: (responses: { result?: unknown; error?: unknown; id: number }[], body: string) => unknown,
) {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', async () => {
      const passed = await fetch(node.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      const answer = change((await passed.json()) as never, body)
      if (answer === undefined) response.destroy()
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/key-of-a-customer`
}

/** Where nothing listens. */
async function closedUrl(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

test('a node that has everything lacks nothing, and reports the age and depth of the final block', async () => {
  const report = await probeEndpoint(networkOf(), node.url)
  expect(report).toMatchObject({
    failure: undefined,
    chain: { id: '0x7a6a', isRight: true },
    batchMax: 100,
    finalDepth: 49,
    lacking: [],
    historySeconds: undefined,
  })
  expect(report.latestAt! - report.finalAt!).toBe((await secondsBefore(report.finalDepth!)) * 1_000)
  expect(report.latencyMs).toBeGreaterThanOrEqual(0)
})

test('a node that forgot the state of the final block lacks balances and contracts there', async () => {
  const url = await changed((responses, body) =>
    responses.map((response, at) =>
      /eth_getBalance|eth_call/.test(JSON.parse(body)[at].method)
        ? { jsonrpc: '2.0', id: response.id, error: { code: -32_000, message: 'missing trie node' } }
        : response,
    ),
  )
  const { lacking, name } = await probeEndpoint(networkOf(), url)
  expect(lacking).toEqual([
    { need: 'balances at the final block', reason: 'missing trie node' },
    { need: 'contracts at the final block', reason: 'missing trie node' },
  ])
  expect(name).not.toContain('customer')
})

test('another chain, missing batches and a missing response are each reported', async () => {
  expect(await probeEndpoint(networkOf({ chainId: 8453 }), node.url)).toMatchObject({
    chain: { isRight: false },
    failure: undefined,
  })
  const single = await changed((responses) => responses[0])
  expect((await probeEndpoint(networkOf(), single)).failure).toMatch(/returned a single object for a batch$/)
  expect((await probeEndpoint(networkOf(), await closedUrl())).failure).toMatch(/ECONNREFUSED$/)
})

test.each([1, 3, 10, 99])(
  'a node that takes batches of %i calls lacks nothing, and that limit is found',
  async (most) => {
    const sizes: number[] = []
    const url = await changed((responses) => {
      sizes.push(responses.length)
      return responses.length > most ? { id: null, error: { code: -32_600, message: 'too many RPC calls' } } : responses
    })
    expect(await probeEndpoint(networkOf(), url)).toMatchObject({ failure: undefined, lacking: [], batchMax: most })
    const { length } = sizes
    expect(sizes.filter((size) => size === 100)).toHaveLength(1)
    const withoutMeasures = await probeEndpoint(networkOf(), url, { measures: false })
    expect(withoutMeasures).toMatchObject({
      failure: undefined,
      lacking: [],
      batchMax: undefined,
      latencyMs: undefined,
    })
    expect(sizes.slice(length).every((size) => size <= 3)).toBe(true)
  },
)

test('a node that limits requests, or breaks the connection, at a batch of the service lacks such batches', async () => {
  const limited = await changed((responses) =>
    responses.length > 50 ? { id: null, error: { code: -32_005, message: 'limit exceeded' } } : responses,
  )
  const report = await probeEndpoint(networkOf(), limited)
  expect(report).toMatchObject({ failure: undefined, batchMax: undefined })
  expect(report.lacking).toEqual([{ need: 'batches of 100 calls', reason: 'reports too many requests' }])
  expect(report.latencyMs).toBeGreaterThanOrEqual(0)
  const breaking = await changed((responses) => (responses.length > 50 ? undefined : responses))
  const { lacking } = await probeEndpoint(networkOf(), breaking)
  expect(lacking).toEqual([{ need: 'batches of 100 calls', reason: 'UND_ERR_SOCKET' }])
})

import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSolana } from '../../../testing/chains/test-solana.ts'
import { until } from '../../../testing/until.ts'
import { ManualClock, RPC_HEAD_AGE_MAX_MS, RPC_HEADS_COMPARE_MS } from '../../kernel/index.ts'
import { startTestNode, type TestNode } from '../evm/test-node.ts'
import { dialectOf } from './dialects.ts'
import { createEndpoint } from './endpoint.ts'
import type { RpcEndpointStatus } from './rpc-observer.ts'

let first: TestNode
let second: TestNode
beforeAll(async () => {
  ;[first, second] = await Promise.all([startTestNode(), startTestNode()])
})
afterAll(() => Promise.all([first?.stop(), second?.stop()]))

/** A block with that time by the chain's clock. */
const mineAt = (node: TestNode, time: Date) =>
  node.rpc('evm_mine', `0x${Math.floor(time.getTime() / 1_000).toString(16)}`)

/** A chain with two endpoints, the second of which is `second` or `other`. */
async function follow(other = second) {
  const clock = new ManualClock(new Date(Math.max(Date.now(), latest) + 1_000))
  await Promise.all([mineAt(first, clock.now()), mineAt(other, clock.now())])
  const hosts: string[] = []
  let served = 0
  const logged: { msg: string; endpoint?: string; seconds?: number }[] = []
  let status: () => readonly RpcEndpointStatus[] = () => []
  const chain = first.chain({
    rpcUrls: [first.url, other.url],
    clock,
    log: pino({ base: null }, { write: (line) => void logged.push(JSON.parse(line)) }),
    onRequest: (host) => hosts.push(host),
    observer: {
      requested() {
        served += 1
      },
      watch(_, read) {
        status = read
      },
    },
  })
  const health = () => status().map((one) => one.health)
  return {
    chain,
    clock,
    logged,
    health,
    hosts,
    /** Asks once, lets the comparison that follows end, and returns the health of both endpoints. */
    async later(milliseconds: number) {
      clock.advance(milliseconds)
      latest = clock.now().getTime() + RPC_HEAD_AGE_MAX_MS
      served = 0
      await chain.heads()
      await until(() => served === 3)
      return health()
    },
  }
}
/** Blocks of one test are not older than those of the test before. */
let latest = 0

test('an endpoint that responds and has stopped following the chain serves last, until it has recent blocks', async () => {
  const { chain, clock, later, logged, hosts } = await follow()
  expect(await later(RPC_HEADS_COMPARE_MS)).toEqual(['available', 'available'])
  await mineAt(second, new Date(clock.now().getTime() + RPC_HEAD_AGE_MAX_MS))
  expect(await later(RPC_HEAD_AGE_MAX_MS)).toEqual(['lagging', 'available'])
  expect(logged).toMatchObject([{ msg: 'node lags behind', endpoint: new URL(first.url).host, seconds: 80 }])

  hosts.splice(0)
  const { latest: head } = await chain.heads()
  expect(hosts).toEqual([new URL(second.url).host])
  expect(head.time).toEqual(new Date(Math.floor(clock.now().getTime() / 1_000) * 1_000))
  expect(await later(RPC_HEADS_COMPARE_MS)).toEqual(['lagging', 'available'])
  expect(logged).toHaveLength(1)

  await mineAt(first, clock.now())
  expect(await later(RPC_HEADS_COMPARE_MS)).toEqual(['available', 'available'])
  expect(logged.slice(1)).toMatchObject([{ msg: 'node has recent blocks again', seconds: 40 }])
  hosts.splice(0)
  await chain.heads()
  expect(hosts).toEqual([new URL(first.url).host])
})

test('a chain that makes no blocks leaves its endpoints as they are', async () => {
  const { clock, later, logged } = await follow()
  await mineAt(second, new Date(clock.now().getTime() + 10_000))
  expect(await later(10 * RPC_HEAD_AGE_MAX_MS)).toEqual(['available', 'available'])
  expect(logged).toEqual([])
})

test('an endpoint that invents blocks puts no healthy one behind it', async () => {
  const { clock, later } = await follow()
  await mineAt(second, new Date(clock.now().getTime() + 10 * RPC_HEAD_AGE_MAX_MS))
  expect(await later(RPC_HEADS_COMPARE_MS)).toEqual(['available', 'available'])
})

test('a lagging endpoint serves while no other one responds', async () => {
  const other = await startTestNode()
  try {
    const { chain, clock, later, health } = await follow(other)
    await mineAt(other, new Date(clock.now().getTime() + 2 * RPC_HEAD_AGE_MAX_MS))
    expect(await later(2 * RPC_HEAD_AGE_MAX_MS)).toEqual(['lagging', 'available'])
    await other.stop()
    expect((await chain.heads()).latest.number).toBeGreaterThan(0)
    expect(health()).toEqual(['lagging', 'resting'])
  } finally {
    await other.stop()
  }
})

test('a node of Solana returns its clock in one request', async () => {
  const solana = await startTestSolana()
  try {
    const { head } = dialectOf(solana.chain.network)
    const endpoint = createEndpoint({ url: solana.devnet.url, fetch: (url, init) => fetch(url, init) })
    const [response] = await endpoint.send([head.request], 8_000)
    const { latest: block } = await solana.chain.heads()
    expect(head.timeOf(response?.ok ? response.result : undefined)).toEqual(block.time)
  } finally {
    await solana.stop()
  }
})

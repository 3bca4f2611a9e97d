// Also tested elsewhere: which reason it is (chains/evm/sending/simulate.test.ts), and that blocks settle without it
// (operations/settlement/blocks/settle-block.test.ts).
import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock, RPC_LACKING_METHOD_RETRY_MS } from '../../../kernel/index.ts'
import type { EvmIncludedTransaction } from '../../port/included-transaction.ts'
import type { Fetch } from '../../rpc/endpoint.ts'
import { DEAD, landed, signed, startTestNode, type TestNode } from '../test-node.ts'

let node: TestNode
let reverted: EvmIncludedTransaction

beforeAll(async () => {
  node = await startTestNode()
  const chain = node.chain()
  // Account 1 has no tokens.
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [DEAD, 5n] })
  const { raw, hash } = await signed(chain, 1, { family: 'evm', to: node.token, data, value: 0n })
  await chain.broadcast(raw)
  reverted = await landed(chain, hash)
})
afterAll(() => node.stop())

const REASON = /ERC20InsufficientBalance/

/** A chain of two endpoints, whose first one fails each HTTP request with these methods in one of these ways. */
function chainThatFails(methods: readonly string[], how: (init: RequestInit) => Promise<Response>) {
  const asked: string[] = []
  const clock = new ManualClock()
  const failing: Fetch = (url, init) => {
    const body = String(init.body)
    const called = (JSON.parse(body) as { method: string }[]).map(({ method }) => method)
    asked.push(`${new URL(url).hostname.split('.')[0]} ${called.filter((one) => one !== 'eth_chainId').join(' ')}`)
    return url.includes('first') && called.some((one) => methods.includes(one)) ? how(init) : fetch(node.url, init)
  }
  const chain = node.chain({
    rpcUrls: ['http://first.example', 'http://second.example'],
    clock,
    fault: { fetch: failing },
  })
  return { chain, clock, asked }
}

const limited = async () => new Response('slow down', { status: 429 })
const oneLimited = async ({ body }: RequestInit) =>
  Response.json(
    (JSON.parse(String(body)) as { id: number }[]).map(({ id }) => ({
      id,
      error: { code: -32_005, message: 'limit' },
    })),
  )
const rejected = async () =>
  Response.json({ error: { code: -32_600, message: 'no debug in batches' } }, { status: 400 })
const silent = async () => {
  throw new DOMException('The operation was aborted due to timeout', 'TimeoutError')
}
const lost = () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'UND_ERR_SOCKET' } }))

test.each([
  ['limits it', limited],
  ['limits it in a regular response', oneLimited],
  ['rejects it in batches', rejected],
  ['does not respond to it', silent],
  ['breaks the connection', lost],
])('a node that %s when asked for a trace serves the rest, and is not asked for one again soon', async (_, how) => {
  const { chain, clock, asked } = chainThatFails(['debug_traceTransaction'], how)
  // The balances of the same tick are in a request of their own.
  const [reason, balances] = await Promise.all([
    chain.revertReason(reverted),
    chain.balances([{ owner: DEAD, token: node.token }]),
  ])
  expect(reason).toMatch(REASON)
  expect(balances).toEqual([0n])
  await chain.heads()
  expect(asked.filter((one) => one.startsWith('second'))).toEqual([])
  asked.length = 0
  expect(await chain.revertReason(reverted)).toMatch(REASON)
  expect(asked).toEqual(['first eth_call'])
  clock.advance(RPC_LACKING_METHOD_RETRY_MS)
  asked.length = 0
  await chain.revertReason(reverted)
  expect(asked).toContain('first debug_traceTransaction')
})

test('without a response to anything, there is no reason, and no node rests', async () => {
  const { chain, asked } = chainThatFails(['debug_traceTransaction', 'eth_call'], limited)
  expect(await chain.revertReason(reverted)).toBeUndefined()
  asked.length = 0
  await chain.heads()
  expect(asked.every((one) => one.startsWith('first'))).toBe(true)
})

test('traces of one tick share a request, and a trace that explains is the only call', async () => {
  const { chain, asked } = chainThatFails([], limited)
  const reasons = await Promise.all([chain.revertReason(reverted), chain.revertReason(reverted)])
  expect(reasons).toEqual([expect.stringMatching(REASON), expect.stringMatching(REASON)])
  expect(asked).toEqual(['first debug_traceTransaction debug_traceTransaction'])
})

test('a trace in the wrong shape is no reason, and the call is repeated', async () => {
  const odd: Fetch = async (url, init) => {
    const requests = JSON.parse(String(init.body)) as { id: number; method: string }[]
    const traced = new Set(requests.filter(({ method }) => method.startsWith('debug')).map(({ id }) => id))
    const responses = (await (await fetch(url, init)).json()) as { id: number }[]
    const result = { output: [1, 2, 3, 4], error: 7 }
    return Response.json(responses.map((one) => (traced.has(one.id) ? { ...one, result } : one)))
  }
  expect(await node.chain({ fault: { fetch: odd } }).revertReason(reverted)).toMatch(REASON)
})

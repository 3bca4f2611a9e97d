import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock, RPC_LACKING_METHOD_RETRY_MS } from '../../../kernel/index.ts'
import type { Fetch } from '../../rpc/endpoint.ts'
import { landed, signed, startTestNode, type TestNode, transfer } from '../test-node.ts'

let node: TestNode
beforeAll(async () => {
  node = await startTestNode()
})
afterAll(() => node.stop())

type Wire = { id: number; method: string; params: unknown[] }

/** The real node, with the response of one method replaced. */
const without =
  (method: string, answer: (real: unknown) => object): Fetch =>
  async (url, init) => {
    const requests = JSON.parse(String(init.body)) as Wire[]
    const responses = (await (await fetch(url, init)).json()) as { id: number; result?: unknown }[]
    return Response.json(
      responses.map((one) => {
        const request = requests.find(({ id }) => id === one.id)
        return request?.method === method ? { jsonrpc: '2.0', id: one.id, ...answer(one.result) } : one
      }),
    )
  }

const unknown = () => ({ error: { code: -32_601, message: 'the method eth_getBlockReceipts does not exist' } })

async function blockOfThree(): Promise<number> {
  const chain = node.chain()
  await node.rpc('evm_setAutomine', false)
  const hashes: string[] = []
  for (const index of [1, 2, 3]) {
    const { raw, hash } = await signed(chain, index, transfer(BigInt(index)))
    await chain.broadcast(raw)
    hashes.push(hash)
  }
  await node.rpc('evm_mine')
  const [first] = await Promise.all(hashes.map((hash) => landed(chain, hash)))
  return first?.blockNumber ?? 0
}

test('a block is the same with or without eth_getBlockReceipts, and a missing method is called again after a while', async () => {
  const number = await blockOfThree()
  let requests = 0
  const calls: string[] = []
  const refusing = without('eth_getBlockReceipts', unknown)
  const counting: Fetch = (url, init) => {
    for (const { method } of JSON.parse(String(init.body)) as Wire[]) calls.push(method)
    return refusing(url, init)
  }
  const clock = new ManualClock()
  const lacking = node.chain({
    clock,
    fault: { fetch: counting },
    onRequest: () => requests++,
  })
  const whole = await node.chain().block(number)
  expect(whole?.transactions).toHaveLength(3)
  expect(await lacking.block(number)).toEqual(whole)
  requests = 0
  expect(await lacking.block(number)).toEqual(whole)
  expect(requests).toBe(2)
  requests = 0
  clock.advance(RPC_LACKING_METHOD_RETRY_MS)
  expect(await lacking.block(number)).toEqual(whole)
  await lacking.block(number)
  // The first of the two blocks also brings the refusal, in the same request.
  expect(requests).toBe(4)
  expect(calls.filter((method) => method === 'eth_getBlockReceipts')).toHaveLength(2)
})

test('a block that is another one after its receipts is undefined: a reorganization happened in between', async () => {
  const number = await blockOfThree()
  const elsewhere = `0x${'ee'.repeat(32)}`
  const before: Fetch = async (url, init) => {
    const requests = JSON.parse(String(init.body)) as Wire[]
    const responses = (await (await fetch(url, init)).json()) as { id: number; result: object }[]
    // The block with its transactions was read before, all else afterwards.
    const isBefore = ({ id }: { id: number }) => requests.some((one) => one.id === id && one.params[1] === true)
    return Response.json(
      responses.map((one) => (isBefore(one) ? { ...one, result: { ...one.result, hash: elsewhere } } : one)),
    )
  }
  expect(await node.chain({ fault: { fetch: before } }).block(number)).toBeUndefined()
})

test('a replacement is found under the same signer and nonce; the replaced transaction is unknown', async () => {
  const chain = node.chain()
  await node.rpc('evm_setAutomine', false)
  const cheap = await signed(chain, 4, transfer(1n))
  const expensive = await signed(chain, 4, transfer(2n), {
    nonce: cheap.nonce,
    maxFeePerGas: 200_000_000_000n,
    maxPriorityFeePerGas: 100_000_000_000n,
  })
  await chain.broadcast(cheap.raw)
  expect(await chain.findTransactions([cheap.hash])).toMatchObject([{ blockNumber: undefined, nonce: cheap.nonce }])
  await chain.broadcast(expensive.raw)
  await node.rpc('evm_mine')
  const { blockNumber, nonce } = await landed(chain, expensive.hash)
  expect(nonce).toBe(cheap.nonce)
  expect(await chain.findTransactions([cheap.hash, expensive.hash])).toMatchObject([undefined, { blockNumber }])
})

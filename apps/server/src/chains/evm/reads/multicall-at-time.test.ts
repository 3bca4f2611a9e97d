import { multicall3Abi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNode, type TestNode } from '../test-node.ts'
import { MULTICALL3 } from './multicall.ts'

let node: TestNode
beforeAll(async () => {
  node = await startTestNode()
})
afterAll(() => node.stop())

const clock = { address: MULTICALL3, abi: multicall3Abi, functionName: 'getCurrentBlockTimestamp' }
const seconds = (time: Date) => BigInt(Math.floor(time.getTime() / 1_000))

test('reads see the requested block time, and nothing else of the chain changes', async () => {
  const chain = node.chain()
  const { latest } = await chain.heads()
  const tomorrow = new Date(latest.time.getTime() + 86_400_000)
  expect(await chain.multicallAtTime([clock], tomorrow, latest.number)).toEqual([seconds(tomorrow)])
  expect(await chain.multicall([clock], latest.number)).toEqual([seconds(latest.time)])
})

test('a node that refuses the override yields undefined', async () => {
  const refusing: typeof fetch = async (url, init) => {
    const requests = JSON.parse(String(init?.body)) as { id: number; method: string }[]
    if (!requests.some(({ method }) => method === 'eth_call')) return fetch(url, init)
    const answers = requests.map(({ id, method }) =>
      method === 'eth_call'
        ? { jsonrpc: '2.0', id, error: { code: -32_602, message: 'too many arguments, want at most 3' } }
        : { jsonrpc: '2.0', id, result: `0x${node.chainId.toString(16)}` },
    )
    return Response.json(answers)
  }
  const chain = node.chain({ fault: { fetch: refusing as never } })
  expect(await chain.multicallAtTime([clock], new Date())).toBeUndefined()
})

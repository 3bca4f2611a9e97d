import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CallUnfinishedError } from '../../port/call-unfinished.ts'
import type { EvmCall } from '../../port/calls.ts'
import type { EvmChain } from '../../port/families.ts'
import type { Fetch } from '../../rpc/endpoint.ts'
import { account, DEAD, startTestNode, type TestNode } from '../test-node.ts'

let node: TestNode
let chain: EvmChain
beforeAll(async () => {
  node = await startTestNode()
  chain = node.chain()
})
afterAll(() => node.stop())

const sender = account(1).address
const call = (functionName: 'approve' | 'transfer', amount: bigint): EvmCall => ({
  family: 'evm',
  to: node.token,
  data: encodeFunctionData({ abi: erc20Abi, functionName, args: [DEAD as Hex, amount] }),
  value: 0n,
})

test('a call that works succeeds, and one that reverts does not', async () => {
  expect(await chain.callSucceeds(sender, call('approve', 1n))).toBe(true)
  expect(await chain.callSucceeds(sender, call('transfer', 1n))).toBe(false)
})

/** A node that answers every call with this error. */
function answering(error: { code: number; message: string }): EvmChain {
  const refusing: Fetch = async (url, init) => {
    const requests = JSON.parse(String(init.body)) as { id: number; method: string }[]
    const responses = (await (await fetch(url, init)).json()) as { id: number }[]
    const isCall = (id: number) => requests.find((request) => request.id === id)?.method === 'eth_call'
    return Response.json(responses.map((one) => (isCall(one.id) ? { jsonrpc: '2.0', id: one.id, error } : one)))
  }
  return node.chain({ fault: { fetch: refusing } })
}

test('a node that refuses the request is as good as no node', async () => {
  const limited = answering({ code: -32_005, message: 'limit exceeded' })
  await expect(limited.callSucceeds(sender, call('approve', 1n))).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
})

test('a call that uses up all gas does not succeed; of one that the node gives up, nothing is known', async () => {
  const costly = answering({ code: -32_000, message: 'gas required exceeds allowance (50000000)' })
  expect(await costly.callSucceeds(sender, call('approve', 1n))).toBe(false)
  const slow = answering({ code: -32_000, message: 'execution aborted (timeout = 5s)' })
  await expect(slow.callSucceeds(sender, call('approve', 1n))).rejects.toBeInstanceOf(CallUnfinishedError)
})

import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

test('a node that refuses the request is as good as no node', async () => {
  const refusing: Fetch = async (_url, init) => {
    const requests = JSON.parse(String(init.body)) as { id: number }[]
    const error = { code: -32_005, message: 'limit exceeded' }
    return Response.json(requests.map(({ id }) => ({ jsonrpc: '2.0', id, error })))
  }
  const limited = node.chain({ fault: { fetch: refusing } })
  await expect(limited.callSucceeds(sender, call('approve', 1n))).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
})

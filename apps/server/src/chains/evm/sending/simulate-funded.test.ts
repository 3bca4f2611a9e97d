import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EvmCall } from '../../port/calls.ts'
import type { EvmChain } from '../../port/families.ts'
import type { Fetch } from '../../rpc/endpoint.ts'
import { DEAD, startTestNode, type TestNode } from '../test-node.ts'

let node: TestNode
let chain: EvmChain
beforeAll(async () => {
  node = await startTestNode()
  chain = node.chain()
})
afterAll(() => node.stop())

const NOBODY = '0x00000000000000000000000000000000000f00d5'
const send = (amount: bigint): EvmCall => ({
  family: 'evm',
  to: node.token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [DEAD as Hex, amount] }),
  value: 0n,
})
const funds = (amount: bigint, token: string = node.token) => ({ token, amount })

test('a sender without tokens is simulated as if it had them, call by call, and nothing persists', async () => {
  const calls = [send(60n), send(60n), send(30n), send(10n), send(1n)]
  expect(await chain.simulateFunded(NOBODY, funds(100n), calls)).toEqual([true, false, true, true, false])
  expect(await chain.balances([{ owner: NOBODY, token: node.token }])).toEqual([0n])
})

test('where the balance cannot be set, nothing is concluded', async () => {
  expect(await chain.simulateFunded(NOBODY, funds(100n, DEAD), [send(1n)])).toBeUndefined()
})

test('a node without eth_simulateV1 is asked once, and nothing is concluded', async () => {
  let asked = 0
  const old: Fetch = async (url, init) => {
    const requests = JSON.parse(String(init.body)) as { id: number; method: string }[]
    const simulations = new Set(requests.filter(({ method }) => method === 'eth_simulateV1').map(({ id }) => id))
    asked += simulations.size
    const error = { code: -32_601, message: 'the method eth_simulateV1 does not exist/is not available' }
    const responses = (await (await fetch(url, init)).json()) as { id: number }[]
    return Response.json(
      responses.map((one) => (simulations.has(one.id) ? { jsonrpc: '2.0', id: one.id, error } : one)),
    )
  }
  const elder = node.chain({ fault: { fetch: old } })
  for (const _ of [1, 2]) expect(await elder.simulateFunded(NOBODY, funds(1n), [send(1n)])).toBeUndefined()
  expect(asked).toBe(1)
})

import { parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ManualClock, REFUSED_PAST_READS_MAX, RPC_ABSENCE_MS } from '../../../kernel/index.ts'
import { PastStateMissingError } from '../../port/past-state-missing.ts'
import type { Fetch } from '../../rpc/endpoint.ts'
import { startTestNode, type TestNode } from '../test-node.ts'
import { createRefusedPastReads } from './refused-past-reads.ts'

let node: TestNode
beforeAll(async () => {
  node = await startTestNode()
})
afterAll(() => node?.stop())

test('a block whose reads are refused in unknown words for ten minutes counts as forgotten, not before', async () => {
  const clock = new ManualClock()
  const riddle: Fetch = async (url, init) => {
    const requests = JSON.parse(String(init.body)) as { id: number; method: string }[]
    if (!requests.some(({ method }) => method === 'eth_call')) return fetch(url, init)
    const error = { code: -32_000, message: 'the archivist is on holiday' }
    return Response.json(requests.map(({ id }) => ({ jsonrpc: '2.0', id, error })))
  }
  const chain = node.chain({ clock, fault: { fetch: riddle } })
  const abi = parseAbi(['function balanceOf(address) view returns (uint256)'])
  const call = { address: node.token, abi, functionName: 'balanceOf', args: [node.token] }
  await chain.heads()
  const read = (at?: number) => chain.multicall([call], at).catch((error: unknown) => error)
  expect(await read(1)).toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  clock.advance(RPC_ABSENCE_MS - 1)
  expect(await read(1)).not.toBeInstanceOf(PastStateMissingError)
  clock.advance(1)
  expect(await read(1)).toBeInstanceOf(PastStateMissingError)
  expect(await read(2), 'each block by itself').not.toBeInstanceOf(PastStateMissingError)
  expect(await read(), 'the latest is no past state').not.toBeInstanceOf(PastStateMissingError)
})

test('after a read that is served the time begins again, and only so many blocks are remembered', () => {
  const clock = new ManualClock()
  const refused = createRefusedPastReads(clock)
  refused.refuse(1)
  clock.advance(RPC_ABSENCE_MS)
  expect(refused.refuse(1)).toBe(true)
  refused.serve(1)
  expect(refused.refuse(1)).toBe(false)
  for (let block = 2; block <= REFUSED_PAST_READS_MAX + 1; block += 1) refused.refuse(block)
  clock.advance(RPC_ABSENCE_MS)
  expect(refused.refuse(1), 'forgotten').toBe(false)
  expect(refused.refuse(REFUSED_PAST_READS_MAX)).toBe(true)
})

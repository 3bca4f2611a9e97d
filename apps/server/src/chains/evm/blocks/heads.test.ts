import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Fetch } from '../../rpc/endpoint.ts'
import { account, DEAD, landed, signed, startTestNode, type TestNode, transfer } from '../test-node.ts'

let node: TestNode

beforeAll(async () => {
  node = await startTestNode(['--slots-in-an-epoch', '2'])
})
afterAll(() => node.stop())

const mine = (blocks: number) => node.rpc('anvil_mine', `0x${blocks.toString(16)}`)

test('the final block is as deep as the network’s confirmations, counting the including block, and never before block 0', async () => {
  const shallow = await node.chain({ network: { ...node.network, confirmations: 1_000 } }).heads()
  expect(shallow.final.number).toBe(0)

  let requests = 0
  const chain = node.chain({ network: { ...node.network, confirmations: 3 }, onRequest: () => requests++ })
  await mine(5)
  const { latest, final } = await chain.heads()
  expect(final.number).toBe(latest.number - 2)
  expect((await chain.block(final.number))?.hash).toBe(final.hash)

  requests = 0
  expect(await chain.heads()).toEqual({ latest, final })
  expect(requests).toBe(1)
})

test('with finality by tag, the node’s finalized block is final, in one HTTP call', async () => {
  await mine(10)
  let requests = 0
  const chain = node.chain({ network: { ...node.network, finality: 'tag' }, onRequest: () => requests++ })
  const { latest, final } = await chain.heads()
  expect(requests).toBe(1)
  expect(final.number).toBe(latest.number - 4)
  expect(await chain.finalNonces([DEAD])).toEqual([0])
})

test('final nonces count only final transactions', async () => {
  const chain = node.chain({ network: { ...node.network, confirmations: 3 } })
  const { address } = account(1)
  const { raw, hash } = await signed(chain, 1, transfer(1n))
  await chain.broadcast(raw)
  await landed(chain, hash)
  expect(await chain.finalNonces([address])).toEqual([0])
  await mine(1)
  expect(await chain.finalNonces([address])).toEqual([0])
  await mine(1)
  expect(await chain.finalNonces([address, DEAD])).toEqual([1, 0])
})

test('the head of a lagging node is ignored', async () => {
  let behind = 0
  const lagging: Fetch = (url, init) =>
    fetch(url, { ...init, body: String(init.body).replace('"latest"', behind === 0 ? '"latest"' : `"0x${behind}"`) })
  const chain = node.chain({ fault: { fetch: lagging } })
  const before = await chain.heads()
  behind = 2
  expect(await chain.heads()).toEqual(before)
})

test('a reorganization at the same height shows as another head hash and another block', async () => {
  const chain = node.chain()
  const { raw, hash } = await signed(chain, 2, transfer(1n))
  await chain.broadcast(raw)
  await landed(chain, hash)
  await mine(1)
  const before = await chain.heads()
  const including = await chain.block(before.latest.number - 1)
  expect(including?.transactions.map((transaction) => transaction.hash)).toEqual([hash])

  await node.rpc('anvil_reorg', 2, [])
  const after = await chain.heads()
  expect(after.latest.number).toBe(before.latest.number)
  expect(after.latest.hash).not.toBe(before.latest.hash)
  expect((await chain.block(after.latest.number - 1))?.transactions).toEqual([])
  expect(await chain.finalNonces([account(2).address])).toEqual([0])
})

test('a block lost in a rollback is undefined until the chain has it again', async () => {
  const chain = node.chain()
  await mine(2)
  const { latest } = await chain.heads()
  await node.rpc('anvil_rollback', 1)
  expect(await chain.block(latest.number)).toBeUndefined()
  await node.rpc('evm_increaseTime', 100)
  await mine(1)
  expect((await chain.block(latest.number))?.hash).not.toBe(latest.hash)
  expect((await chain.heads()).latest.hash).toBe((await chain.block(latest.number))?.hash)
})

// Also tested in: apps/server/src/chains/evm/evm-chain.test.ts (another block 0 after a restart, and a chain of one block).

import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNode, type TestNode } from '../test-node.ts'

let node: TestNode
beforeAll(async () => {
  node = await startTestNode()
})
afterAll(() => node?.stop())

/** The chain behind a node that says this of the named blocks. */
function behind(said: object, blocks: readonly string[]) {
  const change = (sent: readonly { id: number; params: readonly unknown[] }[], answers: readonly { id: number }[]) =>
    answers.map((answer) => {
      const block = sent.find(({ id }) => id === answer.id)?.params[0]
      return blocks.includes(String(block)) ? { jsonrpc: '2.0', id: answer.id, ...said } : answer
    })
  return node.chain({
    fault: {
      fetch: async (url, init) => {
        const answers = await (await fetch(url, init)).json()
        return Response.json(change(JSON.parse(String(init.body)), answers))
      },
    },
  })
}

test.each([
  ['null', { result: null }],
  ['that it pruned its history', { error: { code: 4444, message: 'pruned history unavailable' } }],
])('a node that answers block 1 by %s tells the chain by block 0', async (_which, said) => {
  const { hash } = await node.rpc<{ hash: string }>('eth_getBlockByNumber', '0x0', false)
  expect(await behind(said, ['0x1']).genesisHash()).toBe(hash)
  await expect(behind(said, ['0x0', '0x1']).genesisHash()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
})

test('another error says nothing about the chain', async () => {
  const failing = behind({ error: { code: -32_000, message: 'database is busy' } }, ['0x1'])
  await expect(failing.genesisHash()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
})

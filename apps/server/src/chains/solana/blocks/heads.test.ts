import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSolana, type TestSolana } from '../../../../testing/chains/test-solana.ts'
import type { Fetch } from '../../rpc/endpoint.ts'

let solana: TestSolana
beforeAll(async () => {
  solana = await startTestSolana()
})
afterAll(() => solana?.stop())

/** What a node says of a block that it is still writing. */
const BEING_WRITTEN = {
  'has no status yet': { error: { code: -32_014, message: 'Block status not yet available for slot' } },
  'has no time yet': { blockTime: null },
  'has no height yet': { blockHeight: null },
}

test.each(Object.entries(BEING_WRITTEN))('the heads stay where they were while the block %s', async (_what, said) => {
  let isWriting = false
  const writing: Fetch = async (url, init) => {
    const batch = JSON.parse(String(init.body)) as { method: string }[]
    const responses = (await (await fetch(url, init)).json()) as { id: number; result?: object }[]
    const changed = responses.map((response) => {
      if (!isWriting || batch[response.id]!.method !== 'getBlock') return response
      if ('error' in said) return { jsonrpc: '2.0', id: response.id, ...said }
      return { ...response, result: { ...response.result, ...said } }
    })
    return Response.json(changed)
  }
  const chain = solana.byWallets(writing)
  const before = await chain.heads()
  const { number } = await solana.devnet.mine(1)
  isWriting = true
  expect(await chain.heads()).toEqual(before)
  expect(await chain.header(number)).toBeUndefined()
  isWriting = false
  expect(await chain.heads()).toMatchObject({ latest: { number }, final: { number } })
})

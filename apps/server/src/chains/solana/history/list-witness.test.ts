import { afterAll, beforeAll, expect, test } from 'vitest'
import { stalledLists } from '../../../../testing/chains/stalled-lists.ts'
import { startTestSolana, type TestSolana } from '../../../../testing/chains/test-solana.ts'
import { SOLANA_WITNESS_SLOTS_BACK } from '../../../kernel/index.ts'

let solana: TestSolana
beforeAll(async () => {
  solana = await startTestSolana()
})
afterAll(() => solana?.stop())

test('a search is refused while the lists of a node have not reached a recent block', async () => {
  const { tokenAddress } = solana.devnet.deployment.strategies[0]!
  const lists = stalledLists()
  const { address } = solana.treasury
  const since = new Date(0)
  const landed = async (slot: number) =>
    solana.byWallets(lists.fetch).findLanded(address, [42], { slot, since, sent: [] })
  const { blockNumber } = await solana.fund(address, tokenAddress, 1n)
  const { number } = await solana.devnet.mine(SOLANA_WITNESS_SLOTS_BACK)
  expect(number).toBe(blockNumber + SOLANA_WITNESS_SLOTS_BACK)
  lists.stallAt(blockNumber)
  expect(await landed(number)).toEqual({ hashes: [] })
  lists.stallAt(blockNumber - 1)
  await expect(landed(number)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
})

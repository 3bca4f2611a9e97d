import { encodeFunctionData, erc20Abi } from 'viem'
import { expect, test } from 'vitest'
import { expectLedgerMatchesChain, expectValidLedger } from '../../../../testing/ledger/expect-ledger.ts'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { USDC } from '../../../../testing/units.ts'
import type { Block } from '../../../chains/index.ts'
import { venueFor } from '../../../venues/index.ts'
import { reconcileNewWallets, settleBlock } from './settle-block.ts'

const use = useEngine()

const latestBlock = async (): Promise<Block> => {
  const { latest } = await use.engine.chain.heads()
  return (await use.engine.chain.block(latest.number))!
}

/** Somebody else's shares arrive in one block, and tokens in the next; neither is settled. */
async function moveInTwoBlocks(): Promise<{ first: Block; second: Block }> {
  const donor = await use.engine.client()
  await use.engine.settle()
  await donor.complete(await donor.supply(900n * USDC))
  const share = venueFor('aave-v3').shareToken(use.engine.strategy('aave-v3:polygon:USDC'))
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [use.client.address, 300n * USDC],
  })
  await use.dev.included(await use.dev.call(donor.account, share, data))
  const first = await latestBlock()
  await use.client.receive(50n * USDC)
  return { first, second: await latestBlock() }
}

async function expectEverythingPosted(): Promise<void> {
  await use.engine.settle()
  const { available, deployed } = await use.balances()
  expect(available).toBe(1_050n)
  expect(deployed).toBeGreaterThanOrEqual(299n)
  await expectValidLedger(use.engine)
  await expectLedgerMatchesChain(use.engine)
}

test('after the database went back in time, a follower that remembers a later block settles no wallet', async () => {
  const { first, second } = await moveInTwoBlocks()
  const { parts, chain } = use.engine
  await expect(settleBlock(parts, chain, second, first.number)).rejects.toMatchObject({ name: 'LeaseLost' })
  await expectEverythingPosted()
})

test('nor does it reconcile a new wallet at a block that is not settled', async () => {
  const { second } = await moveInTwoBlocks()
  const { parts, chain, db } = use.engine
  await db.updateTable('wallets').set({ reconciled_block: null }).where('id', '=', use.client.wallet.walletId).execute()
  await expect(reconcileNewWallets(parts, chain, second)).rejects.toMatchObject({ name: 'LeaseLost' })
  await expectEverythingPosted()
})

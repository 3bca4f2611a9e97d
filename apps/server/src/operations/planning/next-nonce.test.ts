import { keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { expectLedgerMatchesChain } from '../../../testing/ledger/expect-ledger.ts'
import { BY_KEY } from '../../../testing/operations/requesters.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { USDC } from '../../../testing/units.ts'
import type { NonceCounts } from '../../chains/index.ts'
import { type Parts, planSupply, rollbackBlocksAbove, submitHash, submitSigned } from '../index.ts'

const use = useEngine()
/** A chain that drops broadcasts, as if the process died between storing and sending. */
function partsThatDieBeforeSending(): Parts {
  const chain = {
    ...use.engine.chain,
    broadcast: () => Promise.reject(new Error('the process died')),
  }
  return { ...use.engine.parts, chains: new Map([[chain.network.blockchain, chain]]) }
}

test('an abandoned plan leaves no gap', async () => {
  const first = await use.client.supply(100n * USDC)
  const second = await use.client.supply(200n * USDC)
  expect(second.transactions.map(({ nonce }) => nonce)).toEqual(first.transactions.map(({ nonce }) => nonce))
  expect((await use.client.complete(second)).state).toBe('COMPLETED')
})

test('two organizations with the same address never take a nonce whose signed bytes are pending', async () => {
  const twin = await use.engine.duplicateClient(use.client)
  await use.engine.settle()
  const mine = await use.client.supply(100n * USDC)
  await use.dev.mineAtOnce(false)
  const lost = submitSigned(partsThatDieBeforeSending(), {
    scope: use.client.scope,
    operationId: mine.operationId,
    signedTransaction: await use.client.sign(mine.transactions[0]!),
  })
  await expect(lost).rejects.toThrow('died')
  const theirs = await twin.supply(50n * USDC)
  expect(theirs.transactions[0]!.nonce).toBe(mine.transactions[0]!.nonce! + 1)
})

test('a reported hash that shows another transaction takes no nonce from the other organization', async () => {
  const watching = await use.engine.duplicateClient(use.client)
  const stranger = await use.engine.client({ usdc: 0n })
  await use.engine.settle()
  const { operationId, transactions } = await watching.supply(100n * USDC)
  await use.dev.mineAtOnce(false)
  for (const { nonce } of transactions) {
    const raw = await stranger.account.signTransaction({
      type: 'eip1559',
      chainId: use.dev.chainId,
      nonce: nonce!,
      gas: 21_000n,
      maxFeePerGas: 10n ** 12n,
      maxPriorityFeePerGas: 10n ** 9n,
      to: stranger.address,
    })
    // Nobody can tell yet that it is not the planned one.
    await submitHash(use.engine.parts, { scope: watching.scope, operationId, txHash: keccak256(raw) })
    await use.dev.sendRaw(raw)
  }
  use.engine.clock.advance(60_000)
  await use.engine.followOnce()
  const mine = await use.client.supply(60n * USDC)
  expect(mine.transactions[0]!.nonce).toBe(transactions[0]!.nonce)
  await use.dev.mineAtOnce(true)
  expect((await use.client.complete(mine)).state).toBe('COMPLETED')
})

test('both organizations’ ledgers follow the chain, whichever of them moved the money', async () => {
  const twin = await use.engine.duplicateClient(use.client)
  await use.engine.settle()
  expect((await use.client.complete(await use.client.supply(400n * USDC))).state).toBe('COMPLETED')
  await expectLedgerMatchesChain(use.engine)
  const theirs = await twin.complete(await twin.unwind('full'))
  expect(theirs.state).toBe('COMPLETED')
  await expectLedgerMatchesChain(use.engine)
})

/** The next planned nonce when the node has seen no transaction of the wallet yet. */
const nonceFromLaggingNode = () => nonceFrom(() => ({ pending: 0, latest: 0, block: 0 }))

/** The next planned nonce when a node counts so. */
async function nonceFrom(counted: (by: NonceCounts) => NonceCounts): Promise<number | null> {
  const senderState = async (address: string) => {
    const state = await use.engine.chain.senderState(address)
    return { ...state, nonces: counted(state.nonces) }
  }
  const chain = { ...use.engine.chain, senderState }
  const lagging = { ...use.engine.parts, chains: new Map([[chain.network.blockchain, chain]]) }
  const plan = await planSupply(lagging, {
    scope: use.client.scope,
    walletId: use.client.wallet.walletId,
    strategyId: use.engine.strategy('aave-v3:polygon:USDC').id,
    amount: 50n * USDC,
    tokenAddress: use.client.usdcAddress,
    requestedBy: BY_KEY,
  })
  return plan.transactions[0]!.nonce
}

test('a nonce count below an earlier one comes from a lagging node and is ignored', async () => {
  await use.client.complete(await use.client.supply(100n * USDC))
  const { nonces } = await use.engine.chain.senderState(use.client.address)
  await use.client.supply(100n * USDC)
  expect(await nonceFromLaggingNode()).toBe(nonces.latest)
})

test('a nonce that a final block used is never planned again, whatever a node or a reorganization shows', async () => {
  await use.client.supply(100n * USDC)
  await use.dev.included(await use.client.useNonce())
  await use.engine.settle()
  expect(await nonceFromLaggingNode()).toBe(1)
  const { final } = await use.engine.chain.heads()
  await rollbackBlocksAbove(use.engine.parts, use.engine.chain.network.blockchain, final.number)
  expect(await nonceFromLaggingNode()).toBe(1)
})

test('a count of a block that left the chain unseen is given up once that block’s number is settled', async () => {
  const orphaned = ({ pending, latest, block }: NonceCounts) => ({ pending: pending + 4, latest: latest + 4, block })
  expect(await nonceFrom(orphaned)).toBe(4)
  // The node has the block, but the transactions may come back until it is final.
  const asItIs = (counts: NonceCounts) => counts
  expect(await nonceFrom(asItIs)).toBe(4)
  await use.dev.mine(3)
  await use.engine.settle()
  expect(await nonceFromLaggingNode()).toBe(4)
  expect(await nonceFrom(asItIs)).toBe(0)
})

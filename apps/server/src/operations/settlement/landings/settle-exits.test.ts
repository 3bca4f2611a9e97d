// Also tested elsewhere: what requests and claims do to exits, positions and the ledger
// (allocations/exits/record-exit.test.ts, allocations/exits/follow-exits.test.ts, allocations/exits/late-exits.test.ts),
// and lost blocks (watch/lost-exits.test.ts).
import { encodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import type { TestClient } from '../../../../testing/operations/test-client.ts'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { USDC } from '../../../../testing/units.ts'
import { unbatched } from '../../../database/index.ts'
import { classifyTransactions } from '../discovery/classify-transactions.ts'
import { findCandidates } from '../discovery/find-candidates.ts'
import { readLatestWalletSnapshots } from '../discovery/read-wallets.ts'
import { settleExits } from './settle-exits.ts'

const QUEUE = 'erc7540:polygon:USDC'
const VAULT = parseAbi(['function requestRedeem(uint256 shares, address controller, address owner)'])
const use = useEngine()

const exitsOf = ({ wallet }: TestClient) =>
  use.engine.db
    .selectFrom('exits')
    .select(['on_request as isOnRequest', 'pending', 'claimable'])
    .where('wallet_id', '=', wallet.walletId)
    .execute()

test('the request of a client is on request, and that of the rebalancer is not', async () => {
  for (const [origin, isOnRequest] of [
    ['explicit', true],
    ['rebalancer', false],
  ] as const) {
    const client = await use.engine.client({ usdc: 1_000n * USDC })
    await use.engine.settle()
    await client.complete(await client.supply(400n * USDC, QUEUE))
    const unwind = await client.unwind(100n * USDC, QUEUE)
    await use.engine.db.updateTable('operations').set({ origin }).where('id', '=', unwind.operationId).execute()
    await client.complete(unwind)
    expect(await exitsOf(client), origin).toMatchObject([{ isOnRequest }])
  }
})

test('a request without an operation is settled like a planned one, and is on request', async () => {
  const { client, dev, engine } = use
  await client.complete(await client.supply(400n * USDC, QUEUE))
  const { shares } = await engine.db
    .selectFrom('allocations')
    .select('shares')
    .where('wallet_id', '=', client.wallet.walletId)
    .executeTakeFirstOrThrow()
  const args = [shares / 4n, client.address, client.address] as const
  const data = encodeFunctionData({ abi: VAULT, functionName: 'requestRedeem', args })
  await dev.included(await dev.call(client.account, engine.strategy(QUEUE).params.vault!, data))
  await engine.settle()
  const [exit, ...others] = await exitsOf(client)
  expect(others).toEqual([])
  expect(exit).toMatchObject({ isOnRequest: true, claimable: 0n })
  expect(exit!.pending / USDC).toBeOneOf([99n, 100n])
})

test('a block that no node reads any longer is settled from its events, not from what later blocks show', async () => {
  const { client, dev, engine } = use
  await client.complete(await client.supply(400n * USDC, QUEUE))
  const hash = await dev.included(await client.submitAll(await client.unwind(100n * USDC, QUEUE)))
  const { blockNumber } = await dev.rpc<{ blockNumber: string }>('eth_getTransactionReceipt', hash)
  const block = (await engine.chain.block(Number(blockNumber)))!
  await dev.setStrategyState(QUEUE, { pendingExits: 'settle' })
  const findings = classifyTransactions(block.transactions, await findCandidates(engine.db, 'polygon', block))
  const touched = { wallet: client.wallet, strategies: [engine.strategy(QUEUE)], isComplete: false }
  const [snapshot] = await readLatestWalletSnapshots(engine.chain, [touched])
  expect(snapshot!.shares[0]!.exit).toMatchObject({ pending: 0n })
  // Rolled back, because the follower settles the block below.
  const tx = await engine.db.startTransaction().execute()
  try {
    const batcher = unbatched(tx)
    await settleExits({ batcher, chain: engine.chain, block, snapshot: snapshot!, at: new Date() }, findings)
    const [exit] = await tx.selectFrom('exits').selectAll().where('wallet_id', '=', client.wallet.walletId).execute()
    expect(exit).toMatchObject({ state: 'pending', claimable: 0n })
    expect(exit!.pending / USDC).toBeOneOf([99n, 100n])
  } finally {
    await tx.rollback().execute()
  }
})

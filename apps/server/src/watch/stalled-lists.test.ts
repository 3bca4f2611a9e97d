// A provider's lists of transactions stand still for longer than the chain waits; its blocks and balances continue.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { stalledLists, startFollowing } from '../../testing/chains/stalled-lists.ts'
import { sign, startTestSolana, type TestSolana } from '../../testing/chains/test-solana.ts'
import { expectLedgerMatchesChain, expectValidLedger } from '../../testing/ledger/expect-ledger.ts'
import { type SolanaClient, type SolanaFixture, startSolanaFixture } from '../../testing/operations/solana-fixture.ts'
import { USDC } from '../../testing/units.ts'
import {
  cancelOperation,
  expireOverdue,
  issueUnsignedTransactions,
  type Operation,
  recoverTransaction,
} from '../operations/index.ts'

const lists = stalledLists()
let solana: TestSolana
let engine: SolanaFixture
beforeAll(async () => {
  solana = await startTestSolana()
  engine = await startSolanaFixture(solana, solana.byWallets(lists.fetch))
})
afterAll(async () => {
  await engine?.close()
  await solana?.stop()
})
beforeEach(() => lists.continue())

const follower = () => startFollowing(engine, solana, lists.fetch)

/** A supply whose bytes land unreported, after the lists came to a stop. */
async function landedUnlisted({ seconds }: { readonly seconds: number }) {
  const client = await engine.client(1_000n * USDC)
  await follower().followOn(1)
  await engine.db.updateTable('wallet_profiles').set({ operation_timeout_seconds: seconds }).execute()
  const planned = await client.supply(100n * USDC)
  lists.stallAt((await engine.chain.heads()).latest.number)
  const txHash = await client.send(planned)
  await solana.devnet.mine(1)
  expect(await client.usdc()).toBe(900n * USDC)
  return { client, planned, txHash }
}

async function expectCompleted(client: SolanaClient, planned: Operation): Promise<void> {
  expect(await client.operation(planned)).toMatchObject({ state: 'COMPLETED', settledAmount: 100n * USDC })
  await expectValidLedger(engine)
  await expectLedgerMatchesChain(engine)
}

test.each([
  ['in the service that saw it', false],
  ['after a restart', true],
])('bytes that landed are not dead while lists stand still, %s, and settle once they continue', async (_, restarts) => {
  const { client, planned } = await landedUnlisted({ seconds: 3_600 })
  const first = follower()
  await first.outwait()
  const service = restarts ? follower() : first
  if (restarts) await service.outwait()
  await service.followOn(2)
  expect((await client.operation(planned)).transactions).toMatchObject([{ canStillLand: true }])
  await expect(issueUnsignedTransactions(service.parts, client.scope, planned.operationId)).rejects.toMatchObject({
    code: 'CHAIN_UNAVAILABLE',
  })
  lists.continue()
  await service.followOn(2)
  await expectCompleted(client, planned)
})

test('an operation that failed while lists stood still completes once they continue', async () => {
  const { client, planned } = await landedUnlisted({ seconds: 60 })
  const service = follower()
  await service.outwait()
  await expireOverdue(engine.parts)
  expect(await client.operation(planned)).toMatchObject({ state: 'FAILED' })
  await service.followOn(2)
  lists.continue()
  await service.followOn(3)
  await expectCompleted(client, planned)
})

/** As an earlier version left it, or a provider that listed all but one. */
async function declareDead({ operationId }: Operation): Promise<void> {
  await engine.db
    .updateTable('transactions')
    .set({ can_still_land: false })
    .where('operation_id', '=', operationId)
    .execute()
}

test.each([
  ['an operation that waits for them', false],
  ['a cancelled operation', true],
])('the hash of bytes that counted as dead settles them, once: %s', async (_, isCancelled) => {
  const { client, planned, txHash } = await landedUnlisted({ seconds: 3_600 })
  const { operationId } = planned
  await follower().outwait()
  if (isCancelled) await cancelOperation(engine.parts, client.scope, operationId)
  await declareDead(planned)
  const service = follower()
  const recover = () => recoverTransaction(service.parts, { scope: client.scope, operationId, txHash })
  const [first] = await Promise.all([recover(), recover()])
  expect(await recover()).toEqual(first)
  lists.continue()
  await service.followOn(2)
  await expectCompleted(client, planned)
})

test('other bytes of an operation that completed settle nothing, and what they moved is external', async () => {
  const { client, planned, txHash } = await landedUnlisted({ seconds: 3_600 })
  await follower().outwait()
  await declareDead(planned)
  const service = follower()
  const again = await issueUnsignedTransactions(service.parts, client.scope, planned.operationId)
  await engine.chain.broadcast(await sign(client.key, again[0]!.unsignedBytes))
  await solana.devnet.mine(1)
  expect(await client.usdc()).toBe(800n * USDC)
  lists.continue()
  await service.followOn(2)
  await expectCompleted(client, planned)
  const { operationId } = planned
  await recoverTransaction(service.parts, { scope: client.scope, operationId, txHash }).catch(() => {})
  await service.followOn(2)
  await expectCompleted(client, planned)
})

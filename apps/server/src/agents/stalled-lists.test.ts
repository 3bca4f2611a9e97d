// The same for clients: watch/stalled-lists.test.ts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stalledLists, startFollowing } from '../../testing/chains/stalled-lists.ts'
import { sign, signatureOf, startTestSolana, type TestSolana } from '../../testing/chains/test-solana.ts'
import { expectLedgerMatchesChain, expectValidLedger } from '../../testing/ledger/expect-ledger.ts'
import { BY_KEY } from '../../testing/operations/requesters.ts'
import { type SolanaFixture, startSolanaFixture } from '../../testing/operations/solana-fixture.ts'
import { USDC } from '../../testing/units.ts'
import { systemRandomSource } from '../kernel/index.ts'
import { planMove, reportSubmitted } from '../operations/index.ts'
import { addOperationalWallet, findWalletToken } from '../wallets/index.ts'
import { createTransactionPolls } from './poll-transactions.ts'

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

/** A supply whose first agent sends its bytes and dies before it reports, while the lists stand still. */
async function sentUnlisted() {
  lists.continue()
  const client = await engine.client(1_000n * USDC)
  await startFollowing(engine, solana, lists.fetch).followOn(1)
  const { organizationId, walletId } = client.wallet
  const watched = await findWalletToken(engine.parts, { organizationId, walletId, symbol: 'USDC' })
  const { operationalWallet } = await addOperationalWallet(engine.parts, { ...watched, enableYield: true, buffer: 0n })
  const operation = await planMove(engine.parts, {
    organizationId,
    opWalletId: operationalWallet.opWalletId,
    strategyId: engine.strategy.id,
    type: 'SUPPLY',
    amount: 400n * USDC,
    requestedBy: BY_KEY,
    origin: 'explicit',
    reasons: {},
  })
  const pollTransactions = createTransactionPolls({ ...engine.parts, random: systemRandomSource })
  const poll = () => pollTransactions({ organizationId, leaseDurationMs: 1_000, signal: AbortSignal.abort() })
  const issued = (await poll())!
  lists.stallAt((await engine.chain.heads()).latest.number)
  const signed = await sign(client.key, issued.transaction.unsignedBytes)
  await engine.chain.broadcast(signed)
  await solana.devnet.mine(1)
  expect(await client.usdc()).toBe(600n * USDC)
  return { client, operation, poll, issued, txHash: signatureOf(signed) }
}

test('an operation of an agent is not handed out again with new bytes while lists stand still', async () => {
  const { client, operation, poll } = await sentUnlisted()
  const service = startFollowing(engine, solana, lists.fetch)
  await service.outwait()
  await service.followOn(2)
  expect(await poll()).toBeUndefined()
  lists.continue()
  await service.followOn(2)
  expect(await client.operation(operation)).toMatchObject({ state: 'COMPLETED', settledAmount: 400n * USDC })
  await expectValidLedger(engine)
  await expectLedgerMatchesChain(engine)
})

test('a report of bytes that counted as dead settles them', async () => {
  const { client, operation, issued, txHash } = await sentUnlisted()
  const service = startFollowing(engine, solana, lists.fetch)
  await service.outwait()
  const { operationId } = operation
  await engine.db
    .updateTable('transactions')
    .set({ can_still_land: false })
    .where('operation_id', '=', operationId)
    .execute()
  const { transactionId } = issued.transaction
  const { organizationId } = client.wallet
  await reportSubmitted(service.parts, { organizationId, transactionId, txHash, leaseToken: issued.lease.leaseToken })
  lists.continue()
  await service.followOn(2)
  expect(await client.operation(operation)).toMatchObject({ state: 'COMPLETED', settledAmount: 400n * USDC })
  await expectValidLedger(engine)
  await expectLedgerMatchesChain(engine)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { sign, signatureOf, startTestSolana, type TestSolana } from '../../testing/chains/test-solana.ts'
import { FACTOR_SETTINGS } from '../../testing/identity/factor-settings.ts'
import { expectLedgerMatchesChain, expectValidLedger } from '../../testing/ledger/expect-ledger.ts'
import { BY_KEY } from '../../testing/operations/requesters.ts'
import { type SolanaClient, type SolanaFixture, startSolanaFixture } from '../../testing/operations/solana-fixture.ts'
import { MANUAL_POLICY, setPolicy } from '../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../testing/units.ts'
import { callParts } from '../chains/index.ts'
import { BLOCKHASH_MARGIN_BLOCKS, systemRandomSource } from '../kernel/index.ts'
import {
  approveOperation,
  failWithheldOperations,
  type IssuedBytes,
  planMove,
  reportFailed,
  reportSubmitted,
} from '../operations/index.ts'
import { venueFor } from '../venues/index.ts'
import { addOperationalWallet, findWalletToken } from '../wallets/index.ts'
import { createTransactionPolls } from './poll-transactions.ts'

/** The blocks after which bytes may be dead, and the time after which the follower looks for what landed with them. */
const LIFETIME = 151 + BLOCKHASH_MARGIN_BLOCKS
const PENDING_CHECK_MS = 6_000

let solana: TestSolana
let engine: SolanaFixture
beforeAll(async () => {
  solana = await startTestSolana()
  engine = await startSolanaFixture(solana)
})
afterAll(async () => {
  await engine?.close()
  await solana?.stop()
})

/** An operational wallet and the agent that signs for it. */
async function treasury() {
  const client = await engine.client(1_000n * USDC)
  await engine.settle()
  const { organizationId, walletId } = client.wallet
  const watched = await findWalletToken(engine.parts, { organizationId, walletId, symbol: 'USDC' })
  const added = await addOperationalWallet(engine.parts, { ...watched, enableYield: true, buffer: 0n })
  const { opWalletId } = added.operationalWallet
  const pollTransactions = createTransactionPolls({ ...engine.parts, random: systemRandomSource })
  const poll = (leaseDurationMs = 1_000) =>
    pollTransactions({ organizationId, leaseDurationMs, signal: AbortSignal.abort() })
  const strategyId = engine.strategy.id
  return {
    client,
    poll,
    supply: (amount: bigint) =>
      planMove(engine.parts, {
        organizationId,
        opWalletId,
        strategyId,
        type: 'SUPPLY',
        amount,
        requestedBy: BY_KEY,
        origin: 'explicit',
        reasons: {},
      }),
    async take(): Promise<IssuedBytes> {
      const issued = await poll()
      if (!issued) throw new Error('there is nothing to sign')
      return issued
    },
    submitted: ({ transaction: { transactionId }, lease: { leaseToken } }: IssuedBytes, txHash: string) =>
      reportSubmitted(engine.parts, { organizationId, transactionId, txHash, leaseToken }),
    failed: ({ transaction: { transactionId }, lease: { leaseToken } }: IssuedBytes) =>
      reportFailed(engine.parts, { organizationId, transactionId, error: 'no', leaseToken }),
  }
}

async function send({ key }: SolanaClient, { transaction }: IssuedBytes): Promise<string> {
  const signed = await sign(key, transaction.unsignedBytes)
  await engine.chain.broadcast(signed)
  return signatureOf(signed)
}

async function expireBlockhash(): Promise<void> {
  engine.clock.advance(PENDING_CHECK_MS)
  await engine.settle()
}

test('after a lapsed lease the same bytes are issued until their blockhash expires and they are known not to have landed', async () => {
  const { client, supply, poll, take, submitted } = await treasury()
  const operation = await supply(600n * USDC)
  const first = await take()
  engine.clock.advance(1_000)
  const second = await take()
  expect(second.transaction.unsignedBytes).toBe(first.transaction.unsignedBytes)
  await solana.devnet.mine(LIFETIME)
  engine.clock.advance(1_000)
  expect(await poll(), 'not yet known whether they landed').toBeUndefined()
  await expireBlockhash()
  const third = await take()
  expect(third.transaction.unsignedBytes).not.toBe(first.transaction.unsignedBytes)
  await submitted(third, await send(client, third))
  await engine.settle()
  expect((await client.operation(operation)).state).toBe('COMPLETED')
  await expectValidLedger(engine)
  await expectLedgerMatchesChain(engine)
})

test('a transaction that an agent sent and never reported is recognized, and nothing is issued again', async () => {
  const { client, supply, poll, take, submitted } = await treasury()
  const operation = await supply(600n * USDC)
  const taken = await take()
  const hash = await send(client, taken)
  engine.clock.advance(1_000)
  await engine.settle()
  expect(await poll()).toBeUndefined()
  expect((await client.operation(operation)).state).toBe('COMPLETED')
  expect(await submitted(taken, hash)).toMatchObject({ status: 'SUBMITTED', txHash: hash })
  await expectValidLedger(engine)
})

test('nothing new is issued for a wallet while bytes of an ended operation can still land', async () => {
  const { client, supply, poll, take, failed } = await treasury()
  const operation = await supply(600n * USDC)
  const taken = await take()
  await failed(taken)
  expect((await client.operation(operation)).state).toBe('FAILED')
  const next = await supply(500n * USDC)
  expect(await poll()).toBeUndefined()
  await solana.devnet.mine(LIFETIME)
  await expireBlockhash()
  engine.clock.advance(2_000)
  const reissued = await take()
  expect(reissued.operation.operationId).toBe(next.operationId)
  await send(client, reissued)
  await engine.settle()
  expect((await client.operation(next)).state).toBe('COMPLETED')
  expect(await client.usdc()).toBe(500n * USDC)
  await expectValidLedger(engine)
  await expectLedgerMatchesChain(engine)
})

test('a failure under a lapsed lease ends when its blockhash expires, not by the clock', async () => {
  const { client, supply, take, failed } = await treasury()
  const operation = await supply(600n * USDC)
  const taken = await take()
  engine.clock.advance(1_000)
  await failed(taken)
  engine.clock.advance(24 * 3_600_000)
  await engine.followOnce()
  expect(await failWithheldOperations(engine.parts)).toBe(0)
  await solana.devnet.mine(LIFETIME)
  await expireBlockhash()
  expect(await failWithheldOperations(engine.parts)).toBe(1)
  expect(await client.operation(operation)).toMatchObject({ state: 'FAILED', failureReason: 'SUBMISSION' })
  await expectValidLedger(engine)
})

test('what people approved is issued as they saw it, although a plan of today would ask for other shares', async () => {
  const { client, supply, take, submitted } = await treasury()
  await setPolicy(engine, client.wallet.organizationId, MANUAL_POLICY)
  const planned = await supply(600n * USDC)
  expect(planned.state).toBe('PENDING_APPROVAL')
  const { id: userId } = await engine.db
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', client.wallet.organizationId)
    .executeTakeFirstOrThrow()
  const { operationId } = planned
  await approveOperation(
    { ...engine.parts, environment: 'sandbox', factors: FACTOR_SETTINGS },
    { scope: client.scope, operationId, userId },
  )
  await solana.devnet.increaseTime(30 * 86_400)
  const [step] = await venueFor(engine.strategy.protocol).planSupply(engine.chain, {
    strategy: engine.strategy,
    owner: client.wallet.address,
    amount: 600n * USDC,
    needsZeroAllowance: false,
  })
  const [approved] = planned.transactions
  expect(callParts(step!.call)).not.toEqual(callParts(approved!.call))
  const issued = await take()
  expect(callParts(issued.transaction.call)).toEqual(callParts(approved!.call))
  await submitted(issued, await send(client, issued))
  await engine.settle(40)
  expect(await client.operation(planned)).toMatchObject({ state: 'COMPLETED', settledAmount: 600n * USDC })
})

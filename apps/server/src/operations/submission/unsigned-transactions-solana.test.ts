import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SOLANA_FOLLOW_MODES } from '../../../testing/chains/solana-follow-modes.ts'
import { sign, startTestSolana, type TestSolana } from '../../../testing/chains/test-solana.ts'
import { expectLedgerMatchesChain, expectValidLedger } from '../../../testing/ledger/expect-ledger.ts'
import { anyState } from '../../../testing/operations/any-state.ts'
import { type SolanaFixture, startSolanaFixture } from '../../../testing/operations/solana-fixture.ts'
import { USDC } from '../../../testing/units.ts'
import { BLOCKHASH_MARGIN_BLOCKS, Failure } from '../../kernel/index.ts'
import { cancelOperation } from './cancel-operation.ts'
import { issueUnsignedTransactions } from './unsigned-transactions.ts'

const PENDING_CHECK_MS = 6_000

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error = await work.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Failure)
  return error as Failure
}

describe.each(SOLANA_FOLLOW_MODES)('%s', (_way, chainOf) => {
  let solana: TestSolana
  let engine: SolanaFixture
  beforeAll(async () => {
    solana = await startTestSolana()
    engine = await startSolanaFixture(solana, chainOf(solana))
  })
  afterAll(async () => {
    await engine?.close()
    await solana?.stop()
  })

  const transactionsOf = (operationId: number) =>
    engine.db.selectFrom('transactions').selectAll().where('operation_id', '=', operationId).execute()

  test('bytes whose blockhash expired are refused before anything is sent, and the operation is unchanged', async () => {
    const client = await engine.client()
    await engine.settle()
    const planned = await client.supply(100n * USDC)
    await engine.settle(151)
    const failure = await failureOf(client.submit(planned))
    expect(failure.code).toBe('OPERATION_EXPIRED')
    expect(failure.details).toEqual({ refresh: `/v1/operations/${planned.operationId}/unsigned-transactions` })
    expect(await client.operation(planned)).toMatchObject({ state: 'EXECUTING' })
    engine.clock.advance(PENDING_CHECK_MS)
    await engine.settle(BLOCKHASH_MARGIN_BLOCKS)
    expect(await transactionsOf(planned.operationId)).toMatchObject([{ state: 'unsigned', can_still_land: false }])
    await expectValidLedger(engine)
  })

  test('a transaction that a node accepted and then lost is sent again until it lands', async () => {
    const client = await engine.client()
    await engine.settle()
    const planned = await client.supply(100n * USDC)
    await solana.devnet.setFault({ fault: 'drop_next', count: 1, signers: [client.key.address] })
    await client.submit(planned)
    await engine.settle()
    expect(await client.operation(planned)).toMatchObject({ state: 'CONFIRMING' })
    engine.clock.advance(PENDING_CHECK_MS)
    await engine.followOnce()
    await engine.settle()
    expect(await client.operation(planned)).toMatchObject({ state: 'COMPLETED' })
    await expectLedgerMatchesChain(engine)
  })

  test('new bytes with the same effect are issued once the old ones are dead, or if the caller discards them', async () => {
    const client = await engine.client()
    await engine.settle()
    const planned = await client.supply(100n * USDC)
    const issue = async (options = {}) =>
      (await issueUnsignedTransactions(engine.parts, client.scope, planned.operationId, options))[0]!
    expect((await issue()).unsignedBytes).toBe(anyState(planned.transactions[0]!).unsignedBytes)
    await solana.devnet.mine(1)
    const discarded = await issue({ discard: true })
    expect(discarded.unsignedBytes).not.toBe(anyState(planned.transactions[0]!).unsignedBytes)
    expect(discarded.call).toEqual(planned.transactions[0]!.call)

    await solana.devnet.mine(151)
    expect((await failureOf(issue())).code).toBe('CHAIN_UNAVAILABLE')
    engine.clock.advance(PENDING_CHECK_MS)
    await engine.settle(BLOCKHASH_MARGIN_BLOCKS)
    const fresh = await issue()
    expect(fresh.call).toEqual(planned.transactions[0]!.call)
    expect(fresh).toMatchObject({ canStillLand: true, transactionId: planned.transactions[0]!.transactionId })
    await client.submit(planned, await sign(client.key, fresh.unsignedBytes))
    await engine.settle()
    expect(await client.operation(planned)).toMatchObject({ state: 'COMPLETED', settledAmount: 100n * USDC })
    await expectValidLedger(engine)
    await expectLedgerMatchesChain(engine)
  })

  test('a cancelled operation whose bytes land late completes', async () => {
    const client = await engine.client()
    await engine.settle()
    const planned = await client.supply(100n * USDC)
    const signed = await client.sign(planned)
    await cancelOperation(engine.parts, client.scope, planned.operationId)
    await engine.settle(20)
    await engine.chain.broadcast(signed)
    await engine.settle()
    expect(await client.operation(planned)).toMatchObject({ state: 'COMPLETED', failureReason: 'CANCELLED' })
    await expectValidLedger(engine)
    await expectLedgerMatchesChain(engine)
  })
})

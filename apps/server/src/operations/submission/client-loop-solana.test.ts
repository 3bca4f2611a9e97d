import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SOLANA_FOLLOW_MODES } from '../../../testing/chains/solana-follow-modes.ts'
import { startTestSolana, type TestSolana } from '../../../testing/chains/test-solana.ts'
import { expectLedgerMatchesChain, expectValidLedger } from '../../../testing/ledger/expect-ledger.ts'
import { anyState } from '../../../testing/operations/any-state.ts'
import { type SolanaFixture, startSolanaFixture } from '../../../testing/operations/solana-fixture.ts'
import { USDC } from '../../../testing/units.ts'
import { listPositions } from '../../allocations/index.ts'
import { transferNative } from '../../chains/solana/transactions/instructions.ts'
import { type Failure, Money } from '../../kernel/index.ts'

const MONTH = 30 * 86_400

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

  const allocationOf = (walletId: number) =>
    engine.db
      .selectFrom('allocations')
      .selectAll()
      .where('wallet_id', '=', walletId)
      .orderBy('id', 'desc')
      .executeTakeFirst()

  test('supply, 30 days, a partial and a full withdrawal: one transaction each, and a ledger equal to the chain', async () => {
    const client = await engine.client()
    await engine.settle()
    await expectLedgerMatchesChain(engine)
    const planned = await client.supply(6_000n * USDC)
    expect(planned.transactions).toHaveLength(1)
    expect(planned.transactions[0]).toMatchObject({ nonce: null, blockhash: expect.any(String), kind: 'supply' })
    expect(anyState(planned.transactions[0]!).validUntil!.getTime()).toBeLessThanOrEqual(planned.expiresAt!.getTime())
    const supplied = await client.complete(planned)
    expect(supplied).toMatchObject({ state: 'COMPLETED', settledAmount: 6_000n * USDC })
    expect(await allocationOf(client.wallet.walletId)).toMatchObject({ status: 'ACTIVE', principal: 6_000n * USDC })
    await expectValidLedger(engine)
    await expectLedgerMatchesChain(engine)

    await solana.devnet.increaseTime(MONTH)
    await engine.followOnce()
    const { posted_value: grown } = (await allocationOf(client.wallet.walletId))!
    expect(grown).toBeGreaterThan(6_024n * USDC)
    expect(grown).toBeLessThan(6_026n * USDC)
    await expectValidLedger(engine)

    const partial = await client.complete(await client.unwind(2_000n * USDC))
    expect(partial.state).toBe('COMPLETED')
    expect(anyState(partial).settledAmount! - 2_000n * USDC).toBeGreaterThanOrEqual(0n)
    expect(anyState(partial).settledAmount! - 2_000n * USDC).toBeLessThan(1_000n)
    await expectValidLedger(engine)
    await expectLedgerMatchesChain(engine)

    const full = await client.complete(await client.unwind('full'))
    expect(full.state).toBe('COMPLETED')
    expect(await allocationOf(client.wallet.walletId)).toMatchObject({ status: 'CLOSED', shares: 0n, posted_value: 0n })
    await expectValidLedger(engine)
    await expectLedgerMatchesChain(engine)
    const balance = await engine.db
      .selectFrom('ledger_balances')
      .selectAll()
      .where('wallet_id', '=', client.wallet.walletId)
      .where('token_address', '=', engine.strategy.tokenAddress)
      .executeTakeFirstOrThrow()
    expect(balance).toMatchObject({ reserved: 0n, deployed: 0n, external: -10_000n * USDC })
    expect(balance.available).toBe(await client.usdc())
    expect(balance.available).toBeGreaterThan(10_024n * USDC)
    const outside = await engine.db
      .selectFrom('ledger_entries as e')
      .innerJoin('ledger_postings as p', 'p.entry_id', 'e.id')
      .select('e.id')
      .where('e.kind', '=', 'external_position')
      .where('p.wallet_id', '=', client.wallet.walletId)
      .execute()
    expect(outside).toEqual([])
  })

  test('withdrawing everything by amount closes the position, although shares worth less than one unit remain', async () => {
    const client = await engine.client()
    await engine.settle()
    await client.complete(await client.supply(100n * USDC))
    const wallets = { walletId: client.wallet.walletId }
    const [position] = (await listPositions(engine.db, client.scope, { wallets })).positions
    const unwound = await client.complete(await client.unwind(position!.currentValue))
    expect(unwound.state).toBe('COMPLETED')
    expect((await allocationOf(client.wallet.walletId))!.shares).toBeGreaterThan(0n)
    expect((await listPositions(engine.db, client.scope, { wallets })).positions).toEqual([])
    await expect(client.unwind('full')).rejects.toMatchObject({ code: 'ALLOCATION_NOT_FOUND' })
    const again = await client.complete(await client.supply(50n * USDC))
    expect(again.state).toBe('COMPLETED')
    await client.complete(await client.unwind('full'))
    expect(await allocationOf(client.wallet.walletId)).toMatchObject({ status: 'CLOSED', shares: 0n })
    await expectValidLedger(engine)
    await expectLedgerMatchesChain(engine)
  })

  test('a transaction that was broadcast and never reported is found by its memo and completes the operation', async () => {
    const client = await engine.client()
    await engine.settle()
    const planned = await client.supply(100n * USDC)
    const signature = await client.send(planned)
    await engine.settle()
    const found = await client.operation(planned)
    expect(found).toMatchObject({ state: 'COMPLETED', settledAmount: 100n * USDC })
    expect(anyState(found.transactions[0]!).txHash).toBe(signature)
    await expectValidLedger(engine)
    await expectLedgerMatchesChain(engine)
  })

  test('two equal plans never share a signature, and each landing belongs to its own plan', async () => {
    const client = await engine.client()
    await engine.settle()
    const first = await client.supply(100n * USDC)
    const second = await client.supply(100n * USDC)
    expect(second.cancelledOperations).toEqual([first.operationId])
    expect(anyState(first.transactions[0]!).blockhash).toBe(anyState(second.transactions[0]!).blockhash)
    const [one, other] = [await client.send(first), await client.send(second)]
    expect(one).not.toBe(other)
    await engine.settle()
    expect(await client.operation(first)).toMatchObject({ state: 'COMPLETED', failureReason: 'SUPERSEDED' })
    expect(await client.operation(second)).toMatchObject({ state: 'COMPLETED', failureReason: null })
    expect((await allocationOf(client.wallet.walletId))!.principal).toBe(200n * USDC)
    await expectValidLedger(engine)
    await expectLedgerMatchesChain(engine)
  })

  test('a transaction that failed in its block reports the program’s message, and its reservation is released', async () => {
    const client = await engine.client()
    await engine.settle()
    await client.complete(await client.supply(100n * USDC))
    const planned = await client.unwind(50n * USDC)
    await solana.devnet.setFault({ fault: 'revert_next', count: 1, signers: [client.key.address] })
    const failed = await client.complete(planned)
    expect(failed).toMatchObject({ state: 'FAILED', failureReason: 'ONCHAIN' })
    expect(failed.transactions[0]).toMatchObject({ status: 'failed', failureCode: 'REVERTED', canStillLand: false })
    expect(anyState(failed.transactions[0]!).revertReason).toEqual(expect.any(String))
    await expectValidLedger(engine)
    await expectLedgerMatchesChain(engine)
  })

  test('money that arrives from outside is external', async () => {
    const client = await engine.client()
    await engine.settle()
    await client.complete(await client.supply(1_000n * USDC))
    await solana.fund(client.key.address, engine.strategy.tokenAddress, 77n * USDC)
    await engine.followOnce()
    await expectLedgerMatchesChain(engine)
    const balance = await engine.db
      .selectFrom('ledger_balances')
      .selectAll()
      .where('wallet_id', '=', client.wallet.walletId)
      .where('token_address', '=', engine.strategy.tokenAddress)
      .executeTakeFirstOrThrow()
    expect(balance).toMatchObject({ available: 9_077n * USDC, external: -10_077n * USDC })
    await expectValidLedger(engine)
  })

  test('a wallet registered with an existing position is reconciled with the chain exactly', async () => {
    const client = await engine.client()
    await engine.settle()
    await client.complete(await client.supply(500n * USDC))
    await engine.db
      .updateTable('wallets')
      .set({ reconciled_block: null })
      .where('id', '=', client.wallet.walletId)
      .execute()
    await solana.fund(client.key.address, engine.strategy.tokenAddress, 3n * USDC)
    await engine.settle(3)
    await expectValidLedger(engine)
    await expectLedgerMatchesChain(engine)
  })

  test('planning fails with the required amount when the lamports do not cover the account that a supply opens', async () => {
    const client = await engine.client()
    await engine.settle()
    const { address } = client.key
    const rent = BigInt(await solana.rpc<number>('getMinimumBalanceForRentExemption', 165))
    const [lamports] = await engine.chain.balances([{ owner: address, token: 'native' }])
    // Enough for the fee, and for little more than half of the rent of the share account.
    const left = rent / 2n + 10_000n
    await solana.send(client.key, [transferNative(address, solana.treasury.address, lamports! - 5_000n - left)])
    const refused = await client.supply(100n * USDC).catch((thrown: unknown) => thrown)
    expect(refused).toMatchObject({
      code: 'INSUFFICIENT_GAS',
      details: { token: 'SOL', available: new Money(left, 9) },
    })
    const { required } = (refused as Failure).details as { required: Money }
    expect(required.baseUnits).toBeGreaterThan(rent)
    expect(required.baseUnits).toBeLessThan(rent + 20_000n)

    await solana.send(solana.treasury, [transferNative(solana.treasury.address, address, rent)])
    await client.complete(await client.supply(100n * USDC))
    // The account exists now, so its rent is not required again.
    const [after] = await engine.chain.balances([{ owner: address, token: 'native' }])
    expect(after).toBeLessThan(rent)
    expect((await client.complete(await client.supply(100n * USDC))).state).toBe('COMPLETED')
    await expectValidLedger(engine)
    await expectLedgerMatchesChain(engine)
  })
})

// Also tested elsewhere: lists that lag (late-lists.test.ts), new bytes after an expiry (submission/unsigned-transactions-solana.test.ts), for agents
// (agents/poll-transactions-solana.test.ts), and in random sequences (submission/random-client-sequences-solana.test.ts).
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SOLANA_FOLLOW_MODES } from '../../../../testing/chains/solana-follow-modes.ts'
import { startTestSolana, type TestSolana } from '../../../../testing/chains/test-solana.ts'
import { expectLedgerMatchesChain, expectValidLedger } from '../../../../testing/ledger/expect-ledger.ts'
import { anyState } from '../../../../testing/operations/any-state.ts'
import { type SolanaFixture, startSolanaFixture } from '../../../../testing/operations/solana-fixture.ts'
import { USDC } from '../../../../testing/units.ts'
import { memo, transferNative } from '../../../chains/solana/transactions/instructions.ts'
import { BLOCKHASH_MARGIN_BLOCKS, Failure } from '../../../kernel/index.ts'
import { expireBlockhashes, newExpiryProgress } from './expire-blockhashes.ts'

const PENDING_CHECK_MS = 6_000

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

  test('a submitted transaction that no block included is DROPPED once its blockhash expires, not before', async () => {
    const client = await engine.client()
    await engine.settle()
    const planned = await client.supply(100n * USDC)
    const signed = await client.sign(planned)
    await solana.devnet.setFault({ fault: 'drop_next', count: 1_000, signers: [client.key.address] })
    await client.submit(planned, signed)
    engine.clock.advance(PENDING_CHECK_MS)
    await engine.settle(140)
    expect(await client.operation(planned)).toMatchObject({ state: 'CONFIRMING' })
    engine.clock.advance(PENDING_CHECK_MS)
    await engine.settle(60)
    await solana.devnet.setFault({ fault: 'drop_next', count: 0 })
    const dropped = await client.operation(planned)
    expect(dropped).toMatchObject({ state: 'FAILED', failureReason: 'ONCHAIN' })
    expect(dropped.transactions[0]).toMatchObject({ status: 'failed', failureCode: 'DROPPED', canStillLand: false })
    await expectValidLedger(engine)
    await expectLedgerMatchesChain(engine)
  })

  test('a landing in a skipped block is found among the wallet’s signatures before its bytes count as dead', async () => {
    const client = await engine.client()
    await engine.settle()
    const planned = await client.supply(100n * USDC)
    const signature = await client.send(planned)
    await solana.devnet.mine(1)
    const head = (await engine.chain.heads()).final
    // As if following restarted after that block.
    await engine.db
      .updateTable('chain_cursors')
      .set({ final_number: head.number, final_hash: head.hash, final_time: head.time })
      .where('blockchain', '=', 'solana')
      .execute()
    await solana.devnet.mine(1)
    await expect(engine.followOnce()).rejects.toThrow('another process took over')
    engine.clock.advance(PENDING_CHECK_MS)
    await engine.settle(191)
    const found = await client.operation(planned)
    expect(found).toMatchObject({ state: 'COMPLETED', settledAmount: 100n * USDC })
    expect(anyState(found.transactions[0]!).txHash).toBe(signature)
    await engine.settle()
    await expectValidLedger(engine)
    await expectLedgerMatchesChain(engine)
  })

  test('a memo about a transaction that somebody else writes proves nothing', async () => {
    const client = await engine.client()
    await engine.settle()
    const planned = await client.supply(100n * USDC)
    const { transactionId } = planned.transactions[0]!
    await solana.send(solana.treasury, [
      transferNative(solana.treasury.address, client.key.address, 1n),
      memo(`weir:${transactionId}`),
    ])
    engine.clock.advance(PENDING_CHECK_MS)
    await engine.settle(191)
    expect(await transactionsOf(planned.operationId)).toMatchObject([
      { state: 'unsigned', can_still_land: false, tx_hash: null },
    ])
    await expectValidLedger(engine)
  })

  test('one of two concurrent checks fails the transaction, and its reservation is released once', async () => {
    const client = await engine.client()
    await engine.settle()
    const planned = await client.supply(100n * USDC)
    await solana.devnet.setFault({ fault: 'drop_next', count: 1_000, signers: [client.key.address] })
    await client.submit(planned)
    await solana.devnet.mine(200)
    await solana.devnet.setFault({ fault: 'drop_next', count: 0 })
    const { final } = await engine.chain.heads()
    await Promise.all([1, 2].map(() => expireBlockhashes(engine.parts, engine.chain, final)))
    expect(await client.operation(planned)).toMatchObject({
      state: 'FAILED',
      transactions: [{ failureCode: 'DROPPED' }],
    })
    await expectValidLedger(engine)
  })

  test('bytes live through the last height that can include them, and a margin for lists, and are dead one block later', async () => {
    const client = await engine.client()
    await engine.settle()
    const { operationId } = await client.supply(100n * USDC)
    const last = (await transactionsOf(operationId))[0]!.last_valid_block_height!
    const { final } = await engine.chain.heads()
    const expireAt = async (height: number) => {
      const header: typeof engine.chain.header = async () => ({ ...final, parentHash: '', height })
      await expireBlockhashes(engine.parts, { ...engine.chain, header }, final)
      return (await transactionsOf(operationId))[0]!.can_still_land
    }
    const alive = last + (engine.chain.walletActivity ? BLOCKHASH_MARGIN_BLOCKS : 0)
    expect([await expireAt(last), await expireAt(alive), await expireAt(alive + 1)]).toEqual([true, true, false])
  })

  test('a sender with endless transactions delays nobody, and its search continues where it was', async () => {
    const [spammed, other] = [await engine.client(), await engine.client()]
    await engine.settle()
    const [slow, quick] = [await spammed.supply(100n * USDC), await other.supply(100n * USDC)]
    await solana.devnet.mine(200)
    const { final } = await engine.chain.heads()
    const begun: (string | undefined)[] = []
    const chain: typeof engine.chain = {
      ...engine.chain,
      async findLanded(address, transactionIds, query) {
        if (address === spammed.key.address) {
          begun.push(query.continueBefore)
          if (begun.length < 3) return { hashes: [], continueBefore: `page ${begun.length}` }
          if (begun.length < 5) throw new Failure('CHAIN_UNAVAILABLE')
        }
        const { continueBefore: _, ...rest } = query
        return engine.chain.findLanded(address, transactionIds, rest)
      },
    }
    const progress = newExpiryProgress()
    const expire = () => expireBlockhashes(engine.parts, chain, final, progress)
    const canLand = async (operationId: number) => (await transactionsOf(operationId))[0]!.can_still_land
    await expire()
    expect([await canLand(slow.operationId), await canLand(quick.operationId)]).toEqual([true, false])
    await expire()
    // Nobody else is left: the chain counts as unavailable.
    await expect(expire()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    await expect(expire()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    expect(await canLand(slow.operationId)).toBe(true)
    await expire()
    expect(begun).toEqual([undefined, 'page 1', 'page 2', 'page 2', 'page 2'])
    expect(await canLand(slow.operationId)).toBe(false)
  })

  test('a search goes on although its sender has more expired bytes than a page', async () => {
    const [spammed, other] = [await engine.client(), await engine.client()]
    await engine.settle()
    const plans = [
      await spammed.supply(100n * USDC),
      await spammed.supply(200n * USDC),
      await other.supply(100n * USDC),
    ]
    await solana.devnet.mine(200)
    const { final } = await engine.chain.heads()
    let reads = 0
    const chain: typeof engine.chain = {
      ...engine.chain,
      async findLanded(address, transactionIds, { continueBefore: _, ...query }) {
        reads += 1
        if (address === spammed.key.address && reads % 5 !== 0) return { hashes: [], continueBefore: `page ${reads}` }
        return engine.chain.findLanded(address, transactionIds, query)
      },
    }
    const progress = newExpiryProgress(1)
    for (let round = 0; round < 25; round += 1) await expireBlockhashes(engine.parts, chain, final, progress)
    const left = await Promise.all(plans.map(({ operationId }) => transactionsOf(operationId)))
    expect(left.flat().filter(({ can_still_land }) => can_still_land)).toEqual([])
  })

  test('bytes that expire while a search is under way wait for the next one', async () => {
    const client = await engine.client()
    await engine.settle()
    const planned = await client.supply(100n * USDC)
    await solana.devnet.mine(200)
    const { final } = await engine.chain.heads()
    const { transactionId } = planned.transactions[0]!
    const progress = newExpiryProgress()
    // A search that began before these bytes expired decides nothing about them.
    progress.searches.set(client.key.address, {
      transactionIds: [transactionId],
      slot: final.number,
      height: 1,
      since: new Date(0),
      hashes: [],
      failures: 0,
    })
    await expireBlockhashes(engine.parts, engine.chain, final, progress)
    expect((await transactionsOf(planned.operationId))[0]!.can_still_land).toBe(true)
    await expireBlockhashes(engine.parts, engine.chain, final, progress)
    expect((await transactionsOf(planned.operationId))[0]!.can_still_land).toBe(false)
  })
})

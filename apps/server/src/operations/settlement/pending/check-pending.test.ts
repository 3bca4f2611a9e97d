// Also tested elsewhere: bytes of transactions that a reorganization undid (settlement/reorgs/rollback-reorged-blocks.test.ts), hashes that never appear
// and blocks that were settled too early (submission/link-reported-hash.test.ts), Solana (expire-blockhashes.test.ts),
// and the number of requests (submission/query-and-rpc-costs.test.ts).
import { sql } from 'kysely'
import { keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { breakPostings } from '../../../../testing/ledger/break-postings.ts'
import { loggedLines } from '../../../../testing/logged-lines.ts'
import { partsThatDieBeforeSending, pendingSupply, supplyOf } from '../../../../testing/operations/pending-supply.ts'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { unknownHash } from '../../../../testing/operations/use-reported-hashes.ts'
import { USDC } from '../../../../testing/units.ts'
import { BROADCAST_REQUEST_TIMEOUT_MS, LOST_BATCH, PENDING_BATCH } from '../../../kernel/index.ts'
import { type Parts, submitHash, submitSigned } from '../../index.ts'
import { recordInclusions } from '../discovery/record-inclusions.ts'
import { checkPendingTransactions } from './check-pending.ts'

const use = useEngine()

const check = () => checkPendingTransactions(use.engine.parts, use.engine.chain)

/** Advances the clock and checks pending transactions. */
async function after(milliseconds: number): Promise<void> {
  use.engine.clock.advance(milliseconds)
  await check()
}

test('DROPPED: no node knows the transaction for two minutes, and not a moment sooner', async () => {
  const plan = await pendingSupply(use)
  await use.dev.rpc('anvil_dropTransaction', supplyOf(plan).txHash)
  await after(119_999)
  expect((await use.client.operation(plan)).state).toBe('CONFIRMING')
  await after(1)
  const ended = await use.client.operation(plan)
  expect(ended).toMatchObject({ state: 'FAILED', failureReason: 'ONCHAIN' })
  expect(supplyOf(ended)).toMatchObject({ failureCode: 'DROPPED' })
  expect((await use.balances()).available).toBe(1_000n)
})

test('one of two concurrent checks fails the operation, with one event', async () => {
  const plan = await pendingSupply(use)
  await use.dev.rpc('anvil_dropTransaction', supplyOf(plan).txHash)
  use.engine.clock.advance(120_000)
  await Promise.all([check(), check(), check()])
  expect(await use.client.operation(plan)).toMatchObject({ state: 'FAILED' })
  const events = use.engine.db.selectFrom('outbox').select('event').where('event', '=', 'operation.failed')
  expect(await events.where('object_id', '=', plan.operationId).execute()).toHaveLength(1)
  expect((await use.balances()).available).toBe(1_000n)
})

test('TIMEOUT: nodes know the transaction, but no block includes it for thirty minutes', async () => {
  const plan = await pendingSupply(use)
  await after(60_000)
  await after(29 * 60_000 - 1)
  expect((await use.client.operation(plan)).state).toBe('CONFIRMING')
  await after(1)
  expect(supplyOf(await use.client.operation(plan))).toMatchObject({ failureCode: 'TIMEOUT' })
  await use.dev.mineAtOnce(true)
  await use.engine.settle()
  expect((await use.client.operation(plan)).state).toBe('COMPLETED')
})

test('a transaction keeps the time at which it was first seen, through later checks, its block and its finality', async () => {
  const plan = await pendingSupply(use)
  const seenAt = use.engine.clock.now()
  expect(supplyOf(plan)).toMatchObject({ firstSeenAt: seenAt, lastSeenAt: seenAt })
  await after(20_000)
  const lastSeenAt = use.engine.clock.now()
  expect(supplyOf(await use.client.operation(plan))).toMatchObject({ firstSeenAt: seenAt, lastSeenAt })
  use.engine.clock.advance(20_000)
  await use.dev.mineAtOnce(true)
  await use.engine.settle()
  expect(supplyOf(await use.client.operation(plan))).toMatchObject({
    state: 'confirmed',
    firstSeenAt: seenAt,
    lastSeenAt: use.engine.clock.now(),
  })
})

test('a transaction that was last seen by an earlier version keeps that time as its first', async () => {
  const plan = await pendingSupply(use)
  const seenAt = use.engine.clock.now()
  await use.engine.db.updateTable('transactions').set({ first_seen_at: null }).execute()
  expect(supplyOf(await use.client.operation(plan))).toMatchObject({ firstSeenAt: seenAt })
  await after(20_000)
  expect(supplyOf(await use.client.operation(plan))).toMatchObject({ firstSeenAt: seenAt })
})

test('a transaction that a block includes while its loss is decided is not failed', async () => {
  const plan = await pendingSupply(use)
  const { engine, dev, client } = use
  engine.clock.advance(30 * 60_000)
  const findTransactions: typeof engine.chain.findTransactions = async (hashes) => {
    const lookups = await engine.chain.findTransactions(hashes)
    await dev.mineAtOnce(true)
    await dev.included(supplyOf(plan).txHash!)
    const { latest } = await engine.chain.heads()
    await recordInclusions(engine.parts, engine.chain, (await engine.chain.block(latest.number))!)
    return lookups
  }
  await checkPendingTransactions(engine.parts, { ...engine.chain, findTransactions })
  expect(await client.operation(plan)).toMatchObject({ state: 'CONFIRMING', transactions: [{}, { state: 'included' }] })
})

test('dropped bytes can be planned and submitted again, even if they are identical', async () => {
  const plan = await pendingSupply(use)
  const raw = await use.client.sign(supplyOf(plan))
  await use.dev.rpc('anvil_dropTransaction', supplyOf(plan).txHash)
  await after(120_000)
  const again = await use.client.supply(100n * USDC)
  expect(again.transactions.length).toBe(1)
  // Fees do not change on a quiet chain, so the bytes are the same.
  const same = await use.client.sign(supplyOf(plan))
  expect(same).toBe(raw)
  await use.engine.db
    .updateTable('transactions')
    .set({ unsigned_bytes: supplyOf(plan).unsignedBytes })
    .where('id', '=', again.transactions[0]!.transactionId)
    .execute()
  await use.dev.mineAtOnce(true)
  await use.client.submit(again, raw)
  await use.dev.included(keccak256(raw))
  await use.engine.settle()
  expect((await use.client.operation(again)).state).toBe('COMPLETED')
  expect((await use.client.operation(plan)).state).toBe('FAILED')
})

test('many lost transactions are failed a few in each check, and none once the process is to stop', async () => {
  const { engine } = use
  const states: (() => Promise<string>)[] = []
  for (let index = 0; index < LOST_BATCH + 2; index++) {
    const client = await engine.client()
    const plan = await client.supply(100n * USDC)
    await submitHash(engine.parts, { scope: client.scope, operationId: plan.operationId, txHash: unknownHash() })
    states.push(async () => (await client.operation(plan)).state)
  }
  engine.clock.advance(120_000)
  const failed = async () => {
    const now = await Promise.all(states.map((read) => read()))
    return now.filter((state) => state === 'FAILED').length
  }
  await checkPendingTransactions(engine.parts, engine.chain, { signal: AbortSignal.abort() })
  expect(await failed()).toBe(0)
  await check()
  expect(await failed()).toBe(LOST_BATCH)
  await check()
  expect(await failed()).toBe(LOST_BATCH + 2)
})

test('more lost transactions of one organization than a page holds do not delay those of another', async () => {
  const { engine, client } = use
  const other = await engine.client()
  const plan = await other.supply(100n * USDC)
  await submitHash(engine.parts, { scope: other.scope, operationId: plan.operationId, txHash: unknownHash() })
  const { transactionId } = plan.transactions[0]!
  await sql`insert into transactions select (jsonb_populate_record(t, jsonb_build_object('id', nextval('transactions_id_seq'),
      'position', place, 'nonce', 1000 + place, 'tx_hash', '0x' || lpad(to_hex(place), 64, '0')))).*
    from transactions t, generate_series(2, ${PENDING_BATCH + 2}::int) place where t.id = ${transactionId}`.execute(
    engine.db,
  )
  engine.clock.advance(121_000)
  const own = await client.supply(100n * USDC)
  const raw = await client.sign(own.transactions[0]!)
  const input = { scope: client.scope, operationId: own.operationId, signedTransaction: raw }
  await expect(submitSigned(partsThatDieBeforeSending(engine), input)).rejects.toThrow('died')
  await after(BROADCAST_REQUEST_TIMEOUT_MS)
  await use.dev.included(keccak256(raw))
})

test('an outage of the nodes proves nothing: the two minutes start with the first successful check', async () => {
  const plan = await pendingSupply(use)
  await use.dev.rpc('anvil_dropTransaction', supplyOf(plan).txHash)
  use.engine.clock.advance(600_000)
  const availableSince = use.engine.clock.now()
  const check = () => checkPendingTransactions(use.engine.parts, use.engine.chain, { availableSince })
  await check()
  expect((await use.client.operation(plan)).state).toBe('CONFIRMING')
  use.engine.clock.advance(119_999)
  await check()
  expect((await use.client.operation(plan)).state).toBe('CONFIRMING')
  use.engine.clock.advance(1)
  await check()
  expect(supplyOf(await use.client.operation(plan))).toMatchObject({ failureCode: 'DROPPED' })
})

test('a pending transaction of a quarantined wallet is not failed meanwhile', async () => {
  const repair = await breakPostings(use.engine.db, use.client.wallet.walletId)
  await use.client.receive(1n * USDC)
  await use.engine.settle()
  await repair()
  const plan = await use.client.supply(100n * USDC)
  await use.dev.included(await use.client.submitAll(plan))
  await use.engine.settle()
  expect((await use.client.operation(plan)).state).toBe('CONFIRMING')
  use.engine.clock.advance(3_600_000)
  await use.engine.settle()
  expect((await use.client.operation(plan)).state).toBe('COMPLETED')
})

describe('a crash between storing and sending', () => {
  test('the check of pending transactions sends the very same bytes', async () => {
    const plan = await use.client.supply(100n * USDC)
    const raw = await use.client.sign(plan.transactions[0]!)
    const lost = submitSigned(partsThatDieBeforeSending(use.engine), {
      scope: use.client.scope,
      operationId: plan.operationId,
      signedTransaction: raw,
    })
    await expect(lost).rejects.toThrow('died')
    expect((await use.client.operation(plan)).transactions[0]).toMatchObject({
      status: 'pending',
      txHash: keccak256(raw),
    })
    await after(5_000)
    await use.dev.included(keccak256(raw))
    await use.engine.settle()
    expect((await use.client.operation(plan)).transactions[0]!.status).toBe('confirmed')
  })

  test('a replacement that was stored but not sent is sent, although the node still knows its predecessor', async () => {
    const plan = await pendingSupply(use)
    const raw = await use.client.sign(supplyOf(plan), { feePercent: 150n })
    const lost = submitSigned(partsThatDieBeforeSending(use.engine), {
      scope: use.client.scope,
      operationId: plan.operationId,
      signedTransaction: raw,
    })
    await expect(lost).rejects.toThrow('died')
    await after(5_000)
    await use.dev.mineAtOnce(true)
    await use.engine.settle()
    expect(supplyOf(await use.client.operation(plan))).toMatchObject({ status: 'confirmed', txHash: keccak256(raw) })
  })

  test('bytes that no node ever acknowledges do not block the wallet forever', async () => {
    const plan = await use.client.supply(100n * USDC)
    const chain = {
      ...use.engine.chain,
      broadcast: () => Promise.resolve({ outcome: 'unknown' as const, reason: 'odd words' }),
    }
    const parts: Parts = { ...use.engine.parts, chains: new Map([[chain.network.blockchain, chain]]) }
    const raw = await use.client.sign(plan.transactions[0]!)
    await submitSigned(parts, { scope: use.client.scope, operationId: plan.operationId, signedTransaction: raw })
    for (let attempt = 0; attempt < 3; attempt += 1) {
      use.engine.clock.advance(60_000)
      await checkPendingTransactions(parts, chain)
    }
    const ended = await use.client.operation(plan)
    expect(ended.state).toBe('FAILED')
    expect(ended.transactions[0]).toMatchObject({ failureCode: 'DROPPED' })
  })
})

test('a transaction that cannot be resent is logged once, however often it is checked', async () => {
  const { log, lines, take } = loggedLines()
  const plan = await pendingSupply(use)
  const { transactionId } = supplyOf(plan)
  await use.engine.db
    .updateTable('transaction_hashes')
    .set({ broadcast_at: null })
    .where('transaction_id', '=', transactionId)
    .execute()
  await use.dev.rpc('anvil_dropTransaction', supplyOf(plan).txHash)
  let isBroken = true
  const chain: typeof use.engine.chain = {
    ...use.engine.chain,
    async broadcast(raw) {
      if (isBroken) throw new Error('spoiled')
      return use.engine.chain.broadcast(raw)
    },
  }
  const check = async () => {
    use.engine.clock.advance(BROADCAST_REQUEST_TIMEOUT_MS)
    await checkPendingTransactions({ ...use.engine.parts, log }, chain)
  }
  for (let checks = 0; checks < 3; checks += 1) await check()
  expect(lines).toMatchObject([{ level: 40, transactionId, msg: 'failed to resend a stored transaction' }])
  take()
  isBroken = false
  await check()
  expect(lines).toMatchObject([{ transactionId, failures: 3, msg: 'resent a stored transaction after failures' }])
})

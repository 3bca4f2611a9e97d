// Also tested elsewhere: every event in random order against the table (advance-transactions.test.ts), reorganizations
// (settlement/reorgs/rollback-reorged-blocks.test.ts), reset chains (settlement/reorgs/reset-chain.test.ts), and lost final blocks
// (settlement/reorgs/rollback-lost-final-blocks.test.ts).
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useStore } from '../../../../testing/operations/use-store.ts'
import type { Tx } from '../../../database/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import type { Operation } from '../states/operation.ts'
import { advanceTransaction, type TransactionChange } from './advance-transactions.ts'
import {
  failUnsubmittedSql,
  freeLostNonces,
  killUnsubmittedBytes,
  resetTransactions,
  rollbackInclusions,
} from './advance-transactions-in-bulk.ts'

const store = useStore()
const HASH = `0x${'1'.repeat(64)}`
let wallet: Wallet
let operation: Operation
let other: Operation

/** Plans of two wallets of one organization, with nonces 5 and 6 each. */
beforeEach(async () => {
  wallet = await store.wallet()
  operation = await store.plan(wallet, { nonce: 5 })
  other = await store.plan(await store.wallet({ organizationId: wallet.organizationId }), { nonce: 5 })
})

const at = () => store.clock.now()
const inBlock = (blockNumber: number) => ({ blockNumber, blockHash: `0x${blockNumber}`, time: at() })
/** Moves the transaction at a position through these events. */
async function move(of: Operation, position: number, ...changes: TransactionChange[]): Promise<void> {
  for (const change of changes) {
    const { transactions } = await store.reload(of)
    await store.tx((tx) => advanceTransaction(tx, of, transactions[position]!, change))
  }
}
const submitted = (): TransactionChange => ({ event: 'submitted', txHash: HASH, at: at() })
const included = (number: number): TransactionChange => ({ event: 'included', block: inBlock(number), at: at() })
const confirmed = (number: number): TransactionChange => ({
  event: 'confirmed',
  block: inBlock(number),
  txHash: HASH,
  at: at(),
})
const states = async (of = operation) => (await store.reload(of)).transactions.map(({ state }) => state)
const inTx = <T>(work: (tx: Tx) => Promise<T>) => store.tx(work)

test('a rollback takes transactions out of the blocks above its number, and out of no others', async () => {
  await move(operation, 0, submitted(), included(7))
  await move(operation, 1, submitted(), included(8))
  await move(other, 0, submitted(), confirmed(8))
  await inTx((tx) => rollbackInclusions(tx, 'base', 7, at()))
  expect(await states(), 'another chain').toEqual(['included', 'included'])
  await inTx((tx) => rollbackInclusions(tx, 'polygon', 7, at()))
  expect(await states()).toEqual(['included', 'submitted'])
  expect(await states(other), 'final transactions').toEqual(['confirmed', 'issued'])
})

test('unsubmitted bytes that are selected die, submitted ones and all others do not', async () => {
  await move(operation, 0, submitted())
  expect(await killUnsubmittedBytes(store.db, sql`t.operation_id = ${operation.operationId}`)).toBe(1)
  expect(await states()).toEqual(['submitted', 'stale'])
  expect(await states(other)).toEqual(['issued', 'issued'])
  expect(await killUnsubmittedBytes(store.db, sql`t.operation_id = ${operation.operationId}`)).toBe(0)
})

test('the unsubmitted transactions of an operation that ends fail with its explanation, and may still land', async () => {
  await move(operation, 0, submitted())
  const end = (isEnd: boolean) =>
    sql`
      with steps as (
        select ${operation.operationId}::bigint as operation_id, ${isEnd}::boolean as ended, 'It ended.' as explanation
      ), ${failUnsubmittedSql(sql`${operation.organizationId}`)}
      select
    `.execute(store.db)
  await end(false)
  expect(await states()).toEqual(['submitted', 'issued'])
  await end(true)
  expect(await states()).toEqual(['submitted', 'outstanding'])
  expect((await store.reload(operation)).transactions[1]).toMatchObject({ error: 'It ended.', canStillLand: true })
  expect(await states(other)).toEqual(['issued', 'issued'])
})

test('after a reset no transaction of the wallet can land, its nonces are free, and other wallets keep theirs', async () => {
  await move(operation, 0, submitted())
  await inTx((tx) => resetTransactions(tx, wallet, 'The chain is new.'))
  const { transactions } = await store.reload(operation)
  expect(transactions.map(({ canStillLand, nonce }) => [canStillLand, nonce])).toEqual([
    [false, null],
    [false, null],
  ])
  expect(transactions[0]).toMatchObject({ state: 'dead', failureCode: 'DROPPED', error: 'The chain is new.' })
  expect((await store.reload(other)).transactions).toEqual(other.transactions)
})

test('confirmed transactions give up the nonces that a chain no longer counts, and only those', async () => {
  await move(operation, 0, submitted(), confirmed(7))
  await move(operation, 1, submitted(), confirmed(7))
  await move(other, 0, submitted(), confirmed(7))
  const nonces = async (of = operation) => (await store.reload(of)).transactions.map(({ nonce }) => nonce)
  await freeLostNonces(store.db, 'base', [wallet.address], [0])
  expect(await nonces()).toEqual([5, 6])
  await freeLostNonces(store.db, 'polygon', [wallet.address], [6])
  expect(await nonces()).toEqual([5, null])
  expect(await nonces(other)).toEqual([5, 6])
})

// Also tested elsewhere: what plans insert (planning/commit-plan.test.ts, planning/commit-move.test.ts), and the number
// of statements of a whole plan (submission/query-and-rpc-costs.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { countStatements } from '../../../../testing/index.ts'
import { useStore } from '../../../../testing/operations/use-store.ts'
import { USDC } from '../../../../testing/units.ts'
import type { Wallet } from '../../../wallets/index.ts'
import { lockWalletAndAllocateIds } from '../../planning/read-planning-state.ts'
import type { Operation } from '../states/operation.ts'
import { insertOperation } from './insert-operation.ts'

const store = useStore()
const EVENTS = ['operation.created', 'operation.executing']
let wallet: Wallet
let operation: Operation

/** An operation that is not stored yet, after the pattern of one that is. */
beforeEach(async () => {
  wallet = await store.wallet()
  const stored = await store.plan(wallet)
  const { operationId, transactionIds } = await store.tx((tx) => lockWalletAndAllocateIds(tx, wallet, 2))
  const transactions = stored.transactions.map((transaction, position) => ({
    ...transaction,
    operationId,
    transactionId: transactionIds[position]!,
  }))
  operation = { ...stored, operationId, transactions }
})

const reservation = () => ({
  organizationId: wallet.organizationId,
  operationId: operation.operationId,
  walletId: wallet.walletId,
  tokenAddress: store.strategy.tokenAddress,
  amount: 100n * USDC,
  covered: 40n * USDC,
})
const insert = (of = operation, reserved: ReturnType<typeof reservation> | undefined = reservation()) =>
  store.tx((tx) => insertOperation(tx, of, reserved, EVENTS))
const stored = async () => ({
  events: await store.db.selectFrom('outbox').select('event').where('object_id', '=', operation.operationId).execute(),
  reservations: await store.db
    .selectFrom('reservations')
    .select(['amount', 'covered', 'released_at'])
    .where('operation_id', '=', operation.operationId)
    .execute(),
})

test('an operation is read back as it was written, with its reservation and its events in order', async () => {
  await insert()
  expect(await store.reload(operation)).toEqual(operation)
  expect(await stored()).toEqual({
    events: EVENTS.map((event) => ({ event })),
    reservations: [{ amount: 100n * USDC, covered: 40n * USDC, released_at: null }],
  })
})

test('it takes one statement, whatever the number of transactions and events', async () => {
  const { statements } = await countStatements(() => insert())
  expect(statements).toBe(1)
})

test('without a reservation none is written', async () => {
  await store.tx((tx) => insertOperation(tx, operation, undefined, EVENTS))
  expect((await stored()).reservations).toEqual([])
})

test('if one of its rows is refused, nothing is written', async () => {
  const [first, second] = operation.transactions
  const twice = [first!, { ...second!, transactionId: first!.transactionId }]
  await expect(insert({ ...operation, transactions: twice })).rejects.toThrow()
  await expect(store.reload(operation)).rejects.toMatchObject({ code: 'OPERATION_NOT_FOUND' })
  expect(await stored()).toEqual({ events: [], reservations: [] })
})

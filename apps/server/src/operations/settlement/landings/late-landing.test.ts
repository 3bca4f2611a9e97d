import { expect, test } from 'vitest'
import { expectLedgerMatchesChain } from '../../../../testing/ledger/expect-ledger.ts'
import { anyState } from '../../../../testing/operations/any-state.ts'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { USDC } from '../../../../testing/units.ts'
import { cancelOperation, expireOverdue, type Operation } from '../../index.ts'

const use = useEngine()
const cancel = ({ operationId }: Operation) => cancelOperation(use.engine.parts, use.client.scope, operationId)

const refused = (code: string) => expect.objectContaining({ code })

/** A plan whose approval is final and whose supply is unsubmitted. */
async function approved(amount: bigint): Promise<Operation> {
  const plan = await use.client.supply(amount)
  await use.client.submit(plan, await use.client.sign(plan.transactions[0]!))
  await use.dev.included(anyState((await use.client.operation(plan)).transactions[0]!).txHash!)
  await use.engine.settle()
  return use.client.operation(plan)
}

async function eventsOf(operation: Operation): Promise<string[]> {
  const rows = await use.engine.db
    .selectFrom('outbox')
    .select('event')
    .where('object_type', '=', 'operation')
    .where('object_id', '=', operation.operationId)
    .orderBy('id')
    .execute()
  return rows.map(({ event }) => event)
}

test('a late landing completes a cancelled operation and moves the money to the position', async () => {
  const plan = await approved(600n * USDC)
  const raw = await use.client.sign(plan.transactions[1]!)
  await cancel(plan)
  expect(await use.balances()).toEqual({ available: 1_000n, reserved: 0n, deployed: 0n })
  await use.dev.included(await use.dev.sendRaw(raw))
  await use.engine.settle()
  expect(await use.client.operation(plan)).toMatchObject({
    state: 'COMPLETED',
    failureReason: 'CANCELLED',
    settledAmount: 600n * USDC,
  })
  expect((await use.balances()).available).toBe(400n)
  expect(await eventsOf(plan)).toEqual([
    'operation.created',
    'operation.executing',
    'operation.failed',
    'operation.completed',
  ])
  await expectLedgerMatchesChain(use.engine)
})

test('a late landing that uses another operation’s reservation is an open break until that operation ends', async () => {
  const first = await approved(600n * USDC)
  const raw = await use.client.sign(first.transactions[1]!)
  const second = await use.client.supply(700n * USDC)
  await use.dev.included(await use.dev.sendRaw(raw))
  await use.engine.settle()
  expect((await use.client.operation(first)).state).toBe('COMPLETED')
  await expectLedgerMatchesChain(use.engine)
  expect(await openBreaks()).toMatchObject([{ amount: 300n * USDC }])
  expect(await use.balances()).toMatchObject({ available: 0n, reserved: 700n })
  await expect(use.client.submitAll(second)).rejects.toEqual(refused('OPERATION_EXPIRED'))
  use.engine.clock.advance(500_000)
  await expireOverdue(use.engine.parts)
  await use.engine.settle()
  expect(await openBreaks()).toEqual([])
  expect((await use.balances()).available).toBe(400n)
  await expectLedgerMatchesChain(use.engine)
})

test('the operation with the same nonce fails as REPLACED and names the other transaction', async () => {
  const first = await approved(600n * USDC)
  const late = await use.client.sign(first.transactions[1]!, { feePercent: 200n })
  const second = await use.client.supply(300n * USDC)
  await use.dev.mineAtOnce(false)
  await use.client.submit(second, await use.client.sign(second.transactions[0]!))
  const hash = await use.dev.sendRaw(late)
  await use.dev.mineAtOnce(true)
  await use.engine.settle()
  expect(await use.client.operation(first)).toMatchObject({ state: 'COMPLETED', failureReason: 'SUPERSEDED' })
  const after = await use.client.operation(second)
  expect(after).toMatchObject({ state: 'FAILED', failureReason: 'ONCHAIN' })
  expect(after.transactions[0]).toMatchObject({ status: 'failed', failureCode: 'REPLACED' })
  expect(anyState(after.transactions[0]!).error).toContain(hash)
  await expectLedgerMatchesChain(use.engine)
})

function openBreaks() {
  return use.engine.db
    .selectFrom('ledger_breaks')
    .select(['amount', 'reason'])
    .where('wallet_id', '=', use.client.wallet.walletId)
    .where('closed_at', 'is', null)
    .execute()
}

test('a superseded withdrawal that lands late leaves the allocation unwinding for its successor', async () => {
  await use.client.complete(await use.client.supply(400n * USDC))
  const first = await use.client.unwind(100n * USDC)
  const second = await use.client.unwind(200n * USDC)
  await use.dev.included(await use.client.send(first.transactions[0]!))
  await use.engine.settle()
  expect(await use.client.operation(first)).toMatchObject({ state: 'COMPLETED', failureReason: 'SUPERSEDED' })
  const status = async () =>
    (
      await use.engine.db
        .selectFrom('allocations')
        .select('status')
        .where('wallet_id', '=', use.client.wallet.walletId)
        .executeTakeFirstOrThrow()
    ).status
  expect(await status()).toBe('UNWINDING')
  await cancel(second)
  expect(await status()).toBe('ACTIVE')
})

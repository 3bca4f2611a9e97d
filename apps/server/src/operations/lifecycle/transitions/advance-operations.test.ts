// Also tested elsewhere: every transition as data (lifecycle/states/operation-states.test.ts), and every path through them in random
// sequences (submission/random-client-sequences.test.ts) and among faults and crashes (simulate/).

import { expect, test } from 'vitest'
import { anyState } from '../../../../testing/operations/any-state.ts'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { USDC } from '../../../../testing/units.ts'
import { inTransaction } from '../../../database/index.ts'
import { post } from '../../../ledger/index.ts'
import type { OperationEvent } from '../states/operation-states.ts'
import { advanceOperations } from './advance-operations.ts'

const use = useEngine()

/** Advances operations as a verb does: in one transaction that also posts the returned entries. */
const advance = (operations: readonly { operationId: number }[], event: OperationEvent) =>
  inTransaction(use.engine.db, async (tx) => {
    const at = use.engine.clock.now()
    const read = await Promise.all(operations.map((operation) => use.client.operation(operation)))
    const result = await advanceOperations(
      tx,
      read.map((operation) => ({ operation, event, explanation: 'Ended by the test.' })),
      at,
    )
    await post(tx, result.entries)
    return result.operations
  })

test('ending an operation fails its unsigned transactions, releases its reservation and emits, all together', async () => {
  const plan = await use.client.supply(600n * USDC)
  const [ended] = await advance([plan], 'cancelled')
  expect(ended).toMatchObject({ state: 'ABORTED', failureReason: 'CANCELLED', completedAt: use.engine.clock.now() })
  const read = await use.client.operation(plan)
  expect(read).toMatchObject({ state: 'ABORTED', failureReason: 'CANCELLED' })
  expect(read.transactions.map(anyState).map(({ status, error }) => [status, error])).toEqual([
    ['failed', 'Ended by the test.'],
    ['failed', 'Ended by the test.'],
  ])
  expect(await use.balances()).toEqual({ available: 1_000n, reserved: 0n, deployed: 0n })
  const events = await use.engine.db
    .selectFrom('outbox')
    .select('event')
    .where('object_type', '=', 'operation')
    .where('object_id', '=', plan.operationId)
    .orderBy('id')
    .execute()
  expect(events.map(({ event }) => event)).toEqual(['operation.created', 'operation.executing', 'operation.failed'])
})

test('an event without a transition from the operation’s state is a defect, and rolls back', async () => {
  const plan = await use.client.supply(600n * USDC)
  await expect(advance([plan], 'approved')).rejects.toThrow('an operation that is EXECUTING has no event approved')
  expect((await use.client.operation(plan)).state).toBe('EXECUTING')
  expect((await use.balances()).reserved).toBe(600n)
})

test('an operation that changed after it was read is a defect, and rolls back all of them', async () => {
  const plan = await use.client.supply(600n * USDC)
  const stale = await use.client.operation(plan)
  await advance([plan], 'cancelled')
  const repeat = inTransaction(use.engine.db, (tx) =>
    advanceOperations(tx, [{ operation: stale, event: 'cancelled' }], use.engine.clock.now()),
  )
  await expect(repeat).rejects.toThrow('every operation is still in the state that was read under the lock')
})

test('without requests nothing happens', async () => {
  expect(await advance([], 'cancelled')).toEqual([])
})

// Also tested elsewhere: simultaneous expiry and submission (submission/cancel-operation.test.ts), expiry over HTTP
// (system/money/submission.test.ts), and faults and crashes (simulate/).
import { expect, test } from 'vitest'
import { breakRows } from '../../../../testing/database/break-rows.ts'
import { expectRefused } from '../../../../testing/operations/expect-refused.ts'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { USDC } from '../../../../testing/units.ts'
import { expireOperation, expireOverdue, unfinishedAfterExpiry } from './expire-operations.ts'
import { getOperation, getOperations } from './get-operation.ts'

const use = useEngine()
const TIMEOUT_MS = 120_000

test('a plan that is not submitted in time fails and releases its reservation; its bytes can still land', async () => {
  const plan = await use.client.supply(600n * USDC)
  use.engine.clock.advance(TIMEOUT_MS)
  expect(await expireOverdue(use.engine.parts)).toBe(1)
  const expired = await use.client.operation(plan)
  expect(expired).toMatchObject({ state: 'FAILED', failureReason: 'EXPIRED' })
  expect(expired.transactions.map(({ status, canStillLand }) => [status, canStillLand])).toEqual([
    ['failed', true],
    ['failed', true],
  ])
  expect(await use.balances()).toEqual({ available: 1_000n, reserved: 0n, deployed: 0n })
  const signed = await use.client.sign(plan.transactions[0]!)
  await expectRefused(use.engine.db, 'OPERATION_EXPIRED', () => use.client.submit(plan, signed))
})

test('a plan that has not expired does not change', async () => {
  const plan = await use.client.supply(600n * USDC)
  use.engine.clock.advance(TIMEOUT_MS - 1)
  expect(await expireOverdue(use.engine.parts)).toBe(0)
  await expireOperation(use.engine.parts, { ...use.client.scope, operationId: plan.operationId })
  expect((await use.client.operation(plan)).state).toBe('EXECUTING')
})

test('a process whose clock does not agree expires nothing, in a sweep, at a read and before a plan', async () => {
  const plan = await use.client.supply(600n * USDC)
  const parts = { ...use.engine.parts, clockAgrees: () => false }
  use.engine.clock.advance(600_000)
  await expireOverdue(parts)
  const { scope, wallet } = use.client
  await expireOperation(parts, { ...scope, operationId: plan.operationId })
  expect((await getOperation(parts, scope, plan.operationId)).state).toBe('EXECUTING')
  const [unfinished] = await unfinishedAfterExpiry(parts, wallet)
  expect(unfinished?.operationId).toBe(plan.operationId)
  expect((await getOperation({ ...parts, clockAgrees: () => true }, scope, plan.operationId)).state).toBe('FAILED')
})

test('a list of operations that failed has one that is overdue', async () => {
  const plan = await use.client.supply(600n * USDC)
  const failed = () =>
    getOperations(use.engine.parts, use.client.scope, { states: ['FAILED'] }, { limit: 10, offset: 0 })
  expect(await failed()).toEqual({ operations: [], total: 0 })
  use.engine.clock.advance(TIMEOUT_MS)
  expect(await failed()).toMatchObject({ operations: [{ operationId: plan.operationId }], total: 1 })
})

test('an operation with a submitted transaction does not expire', async () => {
  const plan = await use.client.supply(600n * USDC)
  await use.dev.mineAtOnce(false)
  await use.client.submit(plan, await use.client.sign(plan.transactions[0]!))
  use.engine.clock.advance(TIMEOUT_MS - 1)
  await use.client.submit(plan, await use.client.sign(plan.transactions[1]!))
  use.engine.clock.advance(TIMEOUT_MS)
  await expireOverdue(use.engine.parts)
  await expireOperation(use.engine.parts, { ...use.client.scope, operationId: plan.operationId })
  expect((await use.client.operation(plan)).state).toBe('CONFIRMING')
})

test('expiring twice emits the failure once', async () => {
  const { operationId } = await use.client.supply(600n * USDC)
  use.engine.clock.advance(TIMEOUT_MS)
  const expire = () => expireOperation(use.engine.parts, { ...use.client.scope, operationId })
  await Promise.all([expire(), expire()])
  const failed = await use.engine.db
    .selectFrom('outbox')
    .select('id')
    .where('object_id', '=', operationId)
    .where('event', '=', 'operation.failed')
    .execute()
  expect(failed).toHaveLength(1)
})

test.each(['P0001', '57014'])('an operation that cannot expire (%s) does not delay the others', async (sqlState) => {
  const bad = await use.client.supply(600n * USDC)
  const other = await use.engine.client({ usdc: 100n * USDC })
  await use.engine.settle()
  const good = await other.supply(50n * USDC)
  use.engine.clock.advance(TIMEOUT_MS)
  // Reading an overdue operation expires it too.
  const stored = async ({ operationId }: { readonly operationId: number }) =>
    (await use.engine.db.selectFrom('operations').select('state').where('id', '=', operationId).executeTakeFirst())
      ?.state
  const repair = await breakRows(use.engine.db, { table: 'operations', when: `new.id = ${bad.operationId}`, sqlState })
  await expireOverdue(use.engine.parts)
  expect([await stored(bad), await stored(good)]).toEqual(['EXECUTING', 'FAILED'])
  await repair()
  await expireOverdue(use.engine.parts)
  expect(await stored(bad)).toBe('FAILED')
})

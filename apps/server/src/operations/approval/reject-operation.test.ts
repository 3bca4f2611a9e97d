// Also tested elsewhere: simultaneous decisions (concurrent-decisions.test.ts), every role over HTTP
// (system/access/authorization.test.ts), and faults and crashes (simulate/treasury).
import { beforeEach, expect, test } from 'vitest'
import { expectRefused } from '../../../testing/operations/expect-refused.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import {
  createOperationalWallet,
  MANUAL_POLICY,
  planExplicitMove,
  setPolicy,
} from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { rejectOperation } from './reject-operation.ts'

const use = useEngine()
let waiting: Operation

beforeEach(async () => {
  const wallet = await createOperationalWallet(use.engine, use.client)
  await setPolicy(use.engine, wallet.organizationId, { ...MANUAL_POLICY, requiredApprovals: 3 })
  waiting = await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 600n * USDC })
})

const reject = (scope = use.client.scope) =>
  rejectOperation(use.engine.parts, { scope, operationId: waiting.operationId, userId: 1_000_000 })

test('one rejection ends the operation, releases its reservation and emits an event', async () => {
  expect((await use.balances()).reserved).toBe(600n)
  expect(await reject()).toMatchObject({ state: 'REJECTED', failureReason: 'REJECTED', rejectedAt: expect.any(Date) })
  expect(await use.balances()).toEqual({ available: 1_000n, reserved: 0n, deployed: 0n })
  const emitted = await use.engine.db
    .selectFrom('outbox')
    .select('event')
    .where('object_id', '=', waiting.operationId)
    .where('object_type', '=', 'operation')
    .orderBy('id')
    .execute()
  expect(emitted.map(({ event }) => event)).toEqual(['operation.created', 'operation.rejected'])
  expect((await use.client.operation(waiting)).transactions.map(({ status }) => status)).toEqual(['failed', 'failed'])
})

test('a second rejection is INVALID_OPERATION_STATUS', async () => {
  await reject()
  await expectRefused(use.engine.db, 'INVALID_OPERATION_STATUS', () => reject())
})

test('an operation of another organization is OPERATION_NOT_FOUND', async () => {
  const scope = { organizationId: await use.engine.organization(), walletProfileId: null }
  await expectRefused(use.engine.db, 'OPERATION_NOT_FOUND', () => reject(scope))
})

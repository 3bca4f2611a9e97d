// Also tested elsewhere: simultaneous decisions (concurrent-decisions.test.ts), every role over HTTP
// (system/access/authorization.test.ts), and faults and crashes (simulate/treasury).
import { beforeEach, expect, test } from 'vitest'
import { createTestAgent } from '../../../testing/agents/test-agent.ts'
import { expectRefused } from '../../../testing/operations/expect-refused.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import {
  createOperationalWallet,
  MANUAL_POLICY,
  planExplicitMove,
  setPolicy,
} from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import type { Chain } from '../../chains/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { OperationalWallet } from '../../wallets/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { approveOperation } from './approve-operation.ts'

const use = useEngine({ confirmations: 3 })
let wallet: OperationalWallet
let userId: number

beforeEach(async () => {
  wallet = await createOperationalWallet(use.engine, use.client)
  await setPolicy(use.engine, wallet.organizationId, MANUAL_POLICY)
  const { id } = await use.engine.db
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', wallet.organizationId)
    .executeTakeFirstOrThrow()
  userId = id
})

const planForApproval = () => planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 600n * USDC })
const approve = ({ operationId }: Pick<Operation, 'operationId'>, scope = use.client.scope) =>
  approveOperation(use.engine.parts, { scope, operationId, userId })
const events = async ({ operationId }: Operation) => {
  const rows = await use.engine.db
    .selectFrom('outbox')
    .select('event')
    .where('object_type', '=', 'operation')
    .where('object_id', '=', operationId)
    .orderBy('id')
    .execute()
  return rows.map(({ event }) => event)
}

test('the last approval queues the operation for the agents and emits both events', async () => {
  const operation = await planForApproval()
  const { approvals, operation: approved } = await approve(operation)
  expect({ approvals, state: approved.state }).toEqual({ approvals: 1, state: 'EXECUTING' })
  expect(await events(operation)).toEqual(['operation.created', 'operation.approved', 'operation.executing'])
  const agent = createTestAgent(use.engine, use.client)
  expect((await agent.carryOut(operation)).state).toBe('COMPLETED')
})

test('an approval that does not reach the required number changes no state', async () => {
  await setPolicy(use.engine, wallet.organizationId, { ...MANUAL_POLICY, requiredApprovals: 2 })
  const operation = await planForApproval()
  expect(await approve(operation)).toMatchObject({ approvals: 1, operation: { state: 'PENDING_APPROVAL' } })
  expect(await approve(operation)).toMatchObject({ approvals: 1 })
  expect(await createTestAgent(use.engine, use.client).poll()).toBeUndefined()
})

test('a member whose password somebody else set today is FORBIDDEN, and their approval does not count', async () => {
  const operation = await planForApproval()
  const from = new Date(use.engine.clock.now().getTime() + 60_000)
  await use.engine.db.updateTable('users').set({ approves_after: from }).where('id', '=', userId).execute()
  await expectRefused(use.engine.db, 'FORBIDDEN', () => approve(operation))
  use.engine.clock.advance(60_000)
  expect(await approve(operation)).toMatchObject({ approvals: 1, operation: { state: 'EXECUTING' } })
})

test('approving a plan that the wallet can no longer fund aborts it and releases its reservation', async () => {
  const operation = await planForApproval()
  await use.dev.included(await use.client.spend(900n * USDC))
  await expect(approve(operation)).rejects.toMatchObject({ code: 'INVALID_OPERATION_STATUS' })
  expect(await use.client.operation(operation)).toMatchObject({ state: 'ABORTED', failureReason: 'ABORTED' })
  expect((await use.balances()).reserved).toBe(0n)
})

test.each([
  ['that Weir has seen', () => use.engine.followOnce()],
  ['that Weir has not seen', async () => {}],
])('what a client’s transaction moved in a block %s counts once', async (_which, follow) => {
  const operation = await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 400n * USDC })
  const plan = await use.client.supply(400n * USDC)
  await use.client.submit(plan, await use.client.sign(plan.transactions[0]!))
  await use.engine.settle()
  await use.dev.included(await use.client.submitAll(await use.client.operation(plan)))
  await follow()
  expect(await use.client.operation(plan)).toMatchObject({ state: 'CONFIRMING' })
  expect(await approve(operation)).toMatchObject({ operation: { state: 'EXECUTING' } })
  await use.engine.settle()
  expect((await createTestAgent(use.engine, use.client).carryOut(operation)).state).toBe('COMPLETED')
})

test('a node that lags behind the deposit that a plan counts on aborts nothing', async () => {
  const { engine, client } = use
  await engine.followOnce()
  await client.receive(500n * USDC)
  await engine.followOnce()
  const operation = await planExplicitMove(engine, wallet, { type: 'SUPPLY', amount: 1_400n * USDC })
  const { number } = (await engine.chain.heads()).latest
  const balances: Chain['balances'] = async (asked, at, atLeast = 0) => {
    if (atLeast >= number) throw new Failure('CHAIN_UNAVAILABLE', { cause: 'the node is behind' })
    return engine.chain.balances(asked, at ?? number - 1, atLeast)
  }
  const chains = new Map([[engine.chain.network.blockchain, { ...engine.chain, balances }]])
  const lagging = approveOperation({ ...engine.parts, chains }, { ...operation, scope: client.scope, userId })
  await expect(lagging).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect(await approve(operation)).toMatchObject({ operation: { state: 'EXECUTING' } })
})

test('only the approval that releases a deposit needs its chain', async () => {
  const { engine, client } = use
  await setPolicy(engine, wallet.organizationId, { ...MANUAL_POLICY, requiredApprovals: 2 })
  const operation = await planForApproval()
  const balances: Chain['balances'] = async () => {
    throw new Failure('CHAIN_UNAVAILABLE', { cause: 'no node answers' })
  }
  const chains = new Map([[engine.chain.network.blockchain, { ...engine.chain, balances }]])
  const request = { ...operation, scope: client.scope, userId }
  expect(await approveOperation({ ...engine.parts, chains }, request)).toMatchObject({ approvals: 1 })
  expect((await client.operation(operation)).state).toBe('PENDING_APPROVAL')
})

test('an operation that does not wait for approval is INVALID_OPERATION_STATUS', async () => {
  const operation = await planForApproval()
  await approve(operation)
  await expectRefused(use.engine.db, 'INVALID_OPERATION_STATUS', () => approve(operation))
})

test('an operation of another organization is OPERATION_NOT_FOUND', async () => {
  const operation = await planForApproval()
  const scope = { organizationId: await use.engine.organization(), walletProfileId: null }
  await expectRefused(use.engine.db, 'OPERATION_NOT_FOUND', () => approve(operation, scope))
})

import { beforeEach, expect, test } from 'vitest'
import { createTestAgent } from '../../../testing/agents/test-agent.ts'
import { addApprover } from '../../../testing/changes/add-approver.ts'
import { expectValidLedger } from '../../../testing/ledger/expect-ledger.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import {
  createOperationalWallet,
  MANUAL_POLICY,
  planExplicitMove,
  setPolicy,
} from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import { AGENT_UNSETTLED_RETRY_MS } from '../../kernel/index.ts'
import type { OperationalWallet } from '../../wallets/index.ts'
import { pauseReason } from '../leasing/pause-reason.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { cancelOperation } from '../submission/cancel-operation.ts'
import { type ApprovalResult, approveOperation } from './approve-operation.ts'
import { rejectOperation } from './reject-operation.ts'

const use = useEngine()
let wallet: OperationalWallet
let waiting: Operation
let people: number[]

beforeEach(async () => {
  wallet = await createOperationalWallet(use.engine, use.client)
  await setPolicy(use.engine, wallet.organizationId, { ...MANUAL_POLICY, requiredApprovals: 2 })
  waiting = await planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 600n * USDC })
  people = []
  for (let person = 0; person < 3; person += 1) people.push(await addApprover(use.engine, wallet.organizationId))
})

const decisionBy = (by: number) => ({
  scope: use.client.scope,
  operationId: waiting.operationId,
  userId: people[by - 1]!,
})
const approve = (by: number): Promise<ApprovalResult> => approveOperation(use.engine.parts, decisionBy(by))
const queuedWork = () =>
  use.engine.db.selectFrom('agent_work').selectAll().where('operation_id', '=', waiting.operationId).execute()
const refused = expect.objectContaining({ code: 'INVALID_OPERATION_STATUS' })

test('two simultaneous approvals by two people queue the operation for the agents once', async () => {
  const both = await Promise.all([approve(1), approve(2)])
  expect(both.map(({ approvals, operation }) => [approvals, operation.state]).sort()).toEqual([
    [1, 'PENDING_APPROVAL'],
    [2, 'EXECUTING'],
  ])
  expect(await queuedWork()).toHaveLength(waiting.transactions.length)
})

test('simultaneous approvals by one person count once', async () => {
  await Promise.all([approve(1), approve(1), approve(1)])
  expect((await use.client.operation(waiting)).state).toBe('PENDING_APPROVAL')
  expect(await queuedWork()).toEqual([])
})

test('when the last approval and a rejection arrive together, one takes effect and the other is refused', async () => {
  await approve(1)
  const outcomes = await Promise.allSettled([approve(2), rejectOperation(use.engine.parts, decisionBy(3))])
  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(refusals).toEqual([refused])
  const { state } = await use.client.operation(waiting)
  expect(state).toBe(outcomes[0]!.status === 'fulfilled' ? 'EXECUTING' : 'REJECTED')
  expect(await queuedWork()).toHaveLength(state === 'EXECUTING' ? waiting.transactions.length : 0)
  expect((await use.balances()).reserved).toBe(state === 'EXECUTING' ? 600n : 0n)
  await expectValidLedger(use.engine)
})

test('changing the policy does not affect operations that already wait for approval', async () => {
  await setPolicy(use.engine, wallet.organizationId, { ...MANUAL_POLICY, requiredApprovals: 5 })
  await approve(1)
  expect((await approve(2)).operation.state).toBe('EXECUTING')
})

test('an operation that a client planned meanwhile goes first, and the approval counts at once', async () => {
  const agent = createTestAgent(use.engine, use.client)
  await approve(1)
  const planned = await use.client.supply(10n * USDC)
  expect((await approve(2)).operation.state).toBe('EXECUTING')
  expect(await agent.poll(), 'both could take one nonce').toBeUndefined()
  const reason = await pauseReason(use.engine.parts, await use.client.operation(waiting))
  expect(reason).toBe('A client’s operation for this wallet is unfinished.')
  await use.client.complete(planned)
  use.engine.clock.advance(AGENT_UNSETTLED_RETRY_MS)
  expect((await agent.pollRequired()).operation.operationId).toBe(waiting.operationId)
  await expectValidLedger(use.engine)
})

test('an approved operation goes on when the client cancels what it planned', async () => {
  const agent = createTestAgent(use.engine, use.client)
  await approve(1)
  const planned = await use.client.supply(10n * USDC)
  await approve(2)
  await cancelOperation(use.engine.parts, use.client.scope, planned.operationId)
  expect((await agent.pollRequired()).operation.operationId).toBe(waiting.operationId)
})

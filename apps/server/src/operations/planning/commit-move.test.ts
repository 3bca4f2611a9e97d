// Also tested elsewhere: the chain reads before it (plan-move.test.ts), decisions over HTTP
// (surfaces/core/operations), and plans among faults and crashes (simulate/treasury).
import { beforeEach, describe, expect, test } from 'vitest'
import { failingTransact } from '../../../testing/index.ts'
import { anyState } from '../../../testing/operations/any-state.ts'
import { expectRefused } from '../../../testing/operations/expect-refused.ts'
import { useStore } from '../../../testing/operations/use-store.ts'
import { MANUAL_POLICY, setPolicy } from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import { type OperationalWallet, updateOperationalWallet } from '../../wallets/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { commitMove } from './commit-move.ts'
import type { PreparedMove } from './prepared-move.ts'

const store = useStore()
let opWallet: OperationalWallet

beforeEach(async () => {
  opWallet = await store.operationalWallet(await store.wallet(), 100n * USDC)
})

const supply = (amount: bigint, change: Partial<PreparedMove> = {}) => store.move(opWallet, { amount, ...change })
const eventsOf = async ({ operationId }: Operation) =>
  (
    await store.db.selectFrom('outbox').select('event').where('object_id', '=', operationId).orderBy('id').execute()
  ).map(({ event }) => event)
const workOf = async ({ operationId }: Operation) =>
  (
    await store.db
      .selectFrom('agent_work')
      .select('stage')
      .where('operation_id', '=', operationId)
      .orderBy('position')
      .execute()
  ).map(({ stage }) => stage)

test('a move reserves its amount and is queued for agents, without bytes', async () => {
  const planned = await supply(900n * USDC)
  expect(planned).toMatchObject({ state: 'EXECUTING', executor: 'agent', opWalletId: opWallet.opWalletId })
  expect(planned.transactions.map(anyState).map(({ state, nonce }) => [state, nonce])).toEqual([
    ['planned', null],
    ['planned', null],
  ])
  expect(await store.reload(planned)).toEqual(planned)
  expect(await workOf(planned)).toEqual(['ready', 'waiting'])
  expect(await store.balances(opWallet)).toEqual({ available: 100n * USDC, reserved: 900n * USDC })
  expect(await eventsOf(planned)).toEqual(['operation.created', 'operation.executing'])
})

test('a move of a service account names the member who holds its secret', async () => {
  const planned = await supply(900n * USDC, { requestedBy: { type: 'service_account', id: 7, heldBy: 3 } })
  expect(planned).toMatchObject({ requestedBy: { type: 'service_account', id: 7 }, requesterUserId: 3 })
  expect(await store.reload(planned)).toEqual(planned)
})

test('one of several simultaneous moves of a wallet is written, and the others are OPERATION_IN_PROGRESS', async () => {
  const moves = await Promise.allSettled([1n, 2n, 3n].map((n) => supply(n * 100n * USDC)))
  const written = moves.flatMap((move) => (move.status === 'fulfilled' ? [move.value] : []))
  expect(written).toHaveLength(1)
  for (const move of moves) {
    if (move.status === 'rejected') expect(move.reason).toMatchObject({ code: 'OPERATION_IN_PROGRESS' })
  }
  expect((await store.balances(opWallet)).reserved).toBe(written[0]!.amount)
})

test('the buffer under the lock counts, even if it was raised after the chain was read', async () => {
  const { organizationId, opWalletId } = opWallet
  const move = await store.prepareMove(opWallet, { amount: 900n * USDC })
  await updateOperationalWallet(store.parts, { organizationId, opWalletId, buffer: 101n * USDC })
  await expectRefused(store.db, 'INSUFFICIENT_BALANCE', () => commitMove(store.parts, move))
  expect((await supply(899n * USDC)).state).toBe('EXECUTING')
})

test('the part of a supply that is not final yet is reserved, and covered once the ledger has it', async () => {
  const planned = await supply(1_500n * USDC, { onChainBalance: 1_600n * USDC })
  expect(await store.balances(opWallet)).toEqual({ available: 0n, reserved: 1_000n * USDC })
  const reservation = store.db.selectFrom('reservations').select(['amount', 'covered'])
  expect(await reservation.where('operation_id', '=', planned.operationId).execute()).toEqual([
    { amount: 1_500n * USDC, covered: 1_000n * USDC },
  ])
})

test('if the transaction fails at its end, nothing is planned or reserved', async () => {
  const transact = failingTransact<Operation>(store.db, 'the response could not be stored')
  const move = await store.prepareMove(opWallet)
  await expect(commitMove(store.parts, move, transact)).rejects.toThrow('could not be stored')
  expect(await store.balances(opWallet)).toEqual({ available: 1_000n * USDC, reserved: 0n })
})

describe('the policy in force', () => {
  test('withholds a move that needs approval from the agents', async () => {
    await setPolicy(store, opWallet.organizationId, { ...MANUAL_POLICY, requiredApprovals: 2 })
    const planned = await supply(900n * USDC)
    expect(planned).toMatchObject({ state: 'PENDING_APPROVAL', requiredApprovals: 2 })
    expect(await workOf(planned)).toEqual([])
    expect(await store.balances(opWallet)).toEqual({ available: 100n * USDC, reserved: 900n * USDC })
    expect(await eventsOf(planned)).toEqual(['operation.created'])
  })

  test('that rejects a move records it as rejected, and reserves nothing', async () => {
    const rules = [{ name: 'never so much', when: { amountAtLeast: '500' }, then: 'reject' }]
    const policy = { mode: 'conditional', rules, default: 'approve', requiredApprovals: 1 }
    await setPolicy(store, opWallet.organizationId, policy)
    const planned = await supply(500n * USDC)
    expect(planned).toMatchObject({ state: 'REJECTED', failureReason: 'REJECTED', approvalRule: 'never so much' })
    expect(await workOf(planned)).toEqual([])
    expect(await store.balances(opWallet)).toEqual({ available: 1_000n * USDC, reserved: 0n })
    expect(await eventsOf(planned)).toEqual(['operation.created', 'operation.rejected'])
    const part = { total: 500n * USDC, remaining: 0n, catalogueFingerprint: '', purpose: null }
    expect((await supply(10n * USDC, { part })).state, 'the whole move counts').toBe('REJECTED')
    expect((await supply(10n * USDC)).state).toBe('EXECUTING')
  })
})

describe('a move that goes before the rebalancer’s own withdrawal', () => {
  const part = { total: USDC, remaining: 0n, catalogueFingerprint: null }
  const withdrawal = (purpose: 'evacuation' | 'refill', change: Partial<PreparedMove> = {}) =>
    store.move(opWallet, { type: 'UNWIND', amount: USDC, origin: 'rebalancer', part: { ...part, purpose }, ...change })

  test('is written while that one awaits approval, which ends in the same transaction', async () => {
    await setPolicy(store, opWallet.organizationId, MANUAL_POLICY)
    const waiting = await withdrawal('evacuation')
    expect(waiting.state).toBe('PENDING_APPROVAL')
    await expect(withdrawal('refill', { goesBefore: waiting.operationId }), 'people decide').rejects.toMatchObject({
      code: 'OPERATION_IN_PROGRESS',
    })
    expect((await store.reload(waiting)).state).toBe('PENDING_APPROVAL')
    await setPolicy(store, opWallet.organizationId, { ...MANUAL_POLICY, mode: 'automatic' })
    const refill = await withdrawal('refill', { goesBefore: waiting.operationId })
    expect(refill.state).toBe('EXECUTING')
    const ended = await store.reload(waiting)
    expect(ended).toMatchObject({ state: 'ABORTED', failureReason: 'ABORTED' })
    const error = expect.stringContaining(`Operation ${refill.operationId} refills the buffer first`)
    expect(ended.transactions[0]).toMatchObject({ error })
  })

  test('is OPERATION_IN_PROGRESS once that one is approved, or if somebody requested it', async () => {
    const approved = await withdrawal('evacuation')
    const before = { goesBefore: approved.operationId }
    await expect(withdrawal('refill', before)).rejects.toMatchObject({ code: 'OPERATION_IN_PROGRESS' })
    const other = await store.operationalWallet(await store.wallet())
    await setPolicy(store, other.organizationId, MANUAL_POLICY)
    const requested = await store.move(other, { type: 'UNWIND', amount: USDC, origin: 'explicit' })
    await setPolicy(store, other.organizationId, { ...MANUAL_POLICY, mode: 'automatic' })
    const refill = { type: 'UNWIND', amount: USDC, origin: 'rebalancer', goesBefore: requested.operationId } as const
    await expect(store.move(other, refill)).rejects.toMatchObject({ code: 'OPERATION_IN_PROGRESS' })
    expect((await store.reload(requested)).state).toBe('PENDING_APPROVAL')
  })
})

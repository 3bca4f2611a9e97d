// Also tested elsewhere: the chain reads before it (plan-supply.test.ts, plan-unwind.test.ts), superseded operations on
// a real chain (supersede-operations.test.ts), the number of statements (submission/query-and-rpc-costs.test.ts), and
// random sequences (submission/random-client-sequences.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { anyState } from '../../../testing/operations/any-state.ts'
import { expectRefused } from '../../../testing/operations/expect-refused.ts'
import { senderState, step, useStore } from '../../../testing/operations/use-store.ts'
import { USDC } from '../../../testing/units.ts'
import { decodeUnsigned } from '../../chains/evm/transactions/decode-unsigned.ts'
import { addMilliseconds } from '../../kernel/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import { advanceTransaction } from '../lifecycle/transitions/advance-transactions.ts'

const store = useStore()
let wallet: Wallet

beforeEach(async () => {
  wallet = await store.wallet()
})

const supply = (amount: bigint, nonce = 0, onChainBalance = 1_000n * USDC) =>
  store.plan(wallet, { amount, nonce, onChainBalance })

test('a plan stores its bytes with consecutive nonces, reserves the amount, and expires with its profile’s time', async () => {
  const plan = await supply(600n * USDC, 7)
  expect(await store.reload(plan)).toEqual(plan)
  expect(plan.transactions.map(anyState).map(({ state, nonce }) => [state, nonce])).toEqual([
    ['issued', 7],
    ['issued', 8],
  ])
  const nonces = plan.transactions.map((each) => decodeUnsigned(anyState(each).unsignedBytes).nonce)
  expect(nonces).toEqual([7, 8])
  expect(plan.expiresAt).toEqual(addMilliseconds(store.clock.now(), 120_000))
  expect(await store.balances(wallet)).toEqual({ available: 400n * USDC, reserved: 600n * USDC })
})

test('the last of simultaneous plans remains, with the same nonces and only its own reservation', async () => {
  const plans = await Promise.all([1n, 2n, 3n].map((n) => supply(n * 100n * USDC)))
  const now = await Promise.all(plans.map(store.reload))
  const remaining = now.filter(({ state }) => state === 'EXECUTING')
  expect(remaining).toHaveLength(1)
  expect(now.map(anyState).filter(({ failureReason }) => failureReason === 'SUPERSEDED')).toHaveLength(2)
  expect(new Set(plans.map(({ transactions }) => transactions[0]!.nonce)).size).toBe(1)
  const amount = remaining[0]!.amount!
  expect(await store.balances(wallet)).toEqual({ available: 1_000n * USDC - amount, reserved: amount })
})

test('the amount of a superseded plan can be reserved again, and is not counted twice', async () => {
  const first = await supply(900n * USDC)
  const second = await supply(1_000n * USDC)
  expect(second.cancelledOperations).toEqual([first.operationId])
  expect(await store.balances(wallet)).toEqual({ available: 0n, reserved: 1_000n * USDC })
})

test('a plan that is refused under the lock supersedes and reserves nothing', async () => {
  await supply(900n * USDC)
  await expectRefused(store.db, 'INSUFFICIENT_BALANCE', () => supply(1_001n * USDC))
})

test('a transaction in flight makes the next plan OPERATION_IN_PROGRESS, and changes nothing', async () => {
  const plan = await supply(100n * USDC)
  const submitted = { event: 'submitted', txHash: '0x1', at: store.clock.now() } as const
  await store.tx((tx) => advanceTransaction(tx, plan, plan.transactions[0]!, submitted))
  await expectRefused(store.db, 'OPERATION_IN_PROGRESS', () => supply(100n * USDC))
})

test('the reservation of an agent’s move that waits for approval is not available to a plan', async () => {
  const opWallet = await store.operationalWallet(wallet)
  const move = await store.move(opWallet, { amount: 900n * USDC })
  const pending = store.db.updateTable('operations').set({ state: 'PENDING_APPROVAL' })
  await pending.where('id', '=', move.operationId).execute()
  await expectRefused(store.db, 'INSUFFICIENT_BALANCE', () => supply(101n * USDC))
  expect((await supply(100n * USDC)).cancelledOperations).toEqual([])
  expect((await store.reload(move)).state).toBe('PENDING_APPROVAL')
})

test('a withdrawal reserves nothing', async () => {
  const prepared = { steps: [step('unwind')], senderState: senderState(3), gas: [450_000n] }
  const plan = await store.plan(wallet, { type: 'UNWIND', amount: null, prepared, nonce: 3 })
  expect(plan).toMatchObject({ type: 'UNWIND', amount: null, state: 'EXECUTING' })
  expect(await store.balances(wallet)).toEqual({ available: 1_000n * USDC, reserved: 0n })
})

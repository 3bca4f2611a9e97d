// Also tested elsewhere: the rebalancer that aborts its own moves (rebalancing/evaluate-due-wallets.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { useStore } from '../../../testing/operations/use-store.ts'
import { USDC } from '../../../testing/units.ts'
import { type OperationalWallet, updateOperationalWallet } from '../../wallets/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { advanceTransaction } from '../lifecycle/transitions/advance-transactions.ts'
import { abortOutdatedOperation } from './abort-outdated.ts'

const store = useStore()
let opWallet: OperationalWallet
let operation: Operation

beforeEach(async () => {
  opWallet = await store.operationalWallet(await store.wallet())
  operation = await store.move(opWallet)
})

/** The buffer changes, one millisecond after the last event. */
async function changeBuffer(): Promise<OperationalWallet> {
  store.clock.advance(1)
  const { organizationId, opWalletId } = opWallet
  const changed = await updateOperationalWallet(store.parts, { organizationId, opWalletId, buffer: 5n * USDC })
  return changed.operationalWallet
}
const reasonOfAbort = (wallet: OperationalWallet, of = operation) => abortOutdatedOperation(store.parts, wallet, of)
const abort = async (...args: Parameters<typeof reasonOfAbort>) => (await reasonOfAbort(...args)) !== undefined
const stateOf = async (of = operation) => (await store.reload(of)).state

test('a move that was planned before the change is aborted and releases its reservation', async () => {
  expect(await store.balances(opWallet)).toEqual({ available: 900n * USDC, reserved: 100n * USDC })
  expect(await abort(await changeBuffer())).toBe(true)
  expect(await store.reload(operation)).toMatchObject({ state: 'ABORTED', failureReason: 'ABORTED' })
  expect(await store.balances(opWallet)).toEqual({ available: 1_000n * USDC, reserved: 0n })
})

test('one of two concurrent aborts counts, and the reservation is released once', async () => {
  const changed = await changeBuffer()
  expect((await Promise.all([abort(changed), abort(changed)])).sort()).toEqual([false, true])
  expect(await store.balances(opWallet)).toEqual({ available: 1_000n * USDC, reserved: 0n })
})

test('a move planned after the change continues', async () => {
  await abort(await changeBuffer())
  const changed = await changeBuffer()
  store.clock.advance(1)
  const later = await store.move(changed)
  expect(await abort(changed, later)).toBe(false)
  expect(await stateOf(later)).toBe('EXECUTING')
})

test('a deployment that would use the buffer is aborted; one that leaves it, or a withdrawal, continues', async () => {
  await abort(await changeBuffer())
  store.clock.advance(1)
  const holding = (onChain: bigint) => ({ ...opWallet, buffer: 5n * USDC, onChain })
  const supply = await store.move(opWallet)
  expect(await abort(holding(105n * USDC), supply)).toBe(false)
  expect(await reasonOfAbort(holding(105n * USDC - 1n), supply)).toContain('above its buffer')
  expect(await stateOf(supply)).toBe('ABORTED')
  const unwind = await store.move(opWallet, { type: 'UNWIND' })
  expect(await abort(holding(0n), unwind)).toBe(false)
})

test('a refill of a buffer that is full again is aborted; an evacuation continues', async () => {
  await abort(await changeBuffer())
  store.clock.advance(1)
  const holding = (onChain: bigint) => ({ ...opWallet, buffer: 5n * USDC, onChain })
  const part = { total: USDC, remaining: 0n, catalogueFingerprint: null }
  const refill = await store.move(opWallet, { type: 'UNWIND', part: { ...part, purpose: 'refill' } })
  expect(await abort(holding(5n * USDC - 1n), refill)).toBe(false)
  expect(await reasonOfAbort(holding(5n * USDC), refill)).toContain('already full')
  const evacuation = await store.move(opWallet, { type: 'UNWIND', part: { ...part, purpose: 'evacuation' } })
  expect(await abort(holding(5n * USDC), evacuation)).toBe(false)
})

test('a move whose bytes an agent has continues', async () => {
  const [approval] = operation.transactions
  const bytes = { nonce: 1, unsignedBytes: '0x02', validUntil: null, blockhash: null, lastValidBlockHeight: null }
  const change = { event: 'issued', bytes: { ...bytes, call: approval!.call } } as const
  await store.tx((tx) => advanceTransaction(tx, operation, approval!, change))
  expect(await abort(await changeBuffer())).toBe(false)
  expect(await stateOf()).toBe('EXECUTING')
})

test('a requested move, or one of another operational wallet, continues', async () => {
  const changed = await changeBuffer()
  expect(await abort({ ...changed, opWalletId: changed.opWalletId + 1 })).toBe(false)
  await abort(changed)
  const requested = await store.move(changed, { origin: 'explicit' })
  expect(await abort(await changeBuffer(), requested)).toBe(false)
  expect(await stateOf(requested)).toBe('EXECUTING')
})

test('an operation of another organization is OPERATION_NOT_FOUND', async () => {
  const changed = await changeBuffer()
  const foreign = { ...changed, organizationId: await store.organization() }
  await expect(abort(foreign)).rejects.toMatchObject({ code: 'OPERATION_NOT_FOUND' })
  expect(await stateOf()).toBe('EXECUTING')
})

test('a deployment into a strategy whose circuit breaker is open is aborted, a requested one continues', async () => {
  const stop = ({ organizationId, strategyId }: Operation) =>
    store.db
      .insertInto('circuit_breakers')
      .values({
        organization_id: organizationId,
        strategy_id: strategyId,
        kind: 'depeg',
        state: 'recovering',
        measure: 50,
        opened_at: store.clock.now(),
        fine_since: store.clock.now(),
        updated_at: store.clock.now(),
      })
      .execute()
  await abort(await changeBuffer())
  const changed = await changeBuffer()
  store.clock.advance(1)
  const later = await store.move(changed)
  expect(await abort(changed, later)).toBe(false)
  await stop(later)
  expect(await abort(changed, later)).toBe(true)
  expect((await store.reload(later)).transactions[0]).toMatchObject({
    error: expect.stringContaining('0.50% off its peg'),
  })
  const own = await store.operationalWallet(await store.wallet())
  store.clock.advance(1)
  const requested = await store.move(own, { origin: 'explicit' })
  await stop(requested)
  expect(await abort(own, requested)).toBe(false)
})

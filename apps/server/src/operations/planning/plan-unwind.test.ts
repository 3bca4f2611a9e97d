// Also tested elsewhere: every refusal over HTTP and their order (system/planning-withdrawals.test.ts), withdrawals in
// random sequences (operations/submission/random-client-sequences.test.ts), and faults and crashes (simulate/).
import { expect, test } from 'vitest'
import { expectRefused } from '../../../testing/expect-refused.ts'
import { USDC } from '../../../testing/units.ts'
import { useEngine } from '../../../testing/use-engine.ts'

const use = useEngine()

async function deposit(amount: bigint): Promise<void> {
  expect((await use.client.complete(await use.client.supply(amount))).state).toBe('COMPLETED')
}

test('a withdrawal reserves nothing, and returns the amount that the chain moved', async () => {
  await deposit(600n * USDC)
  const plan = await use.client.unwind(200n * USDC)
  expect(plan).toMatchObject({ type: 'UNWIND', state: 'EXECUTING', amount: 200n * USDC })
  expect((await use.balances()).reserved).toBe(0n)
  expect(await use.client.complete(plan)).toMatchObject({ state: 'COMPLETED', settledAmount: 200n * USDC })
  expect((await use.balances()).available).toBe(600n)
})

test('a full withdrawal leaves no position behind', async () => {
  await deposit(600n * USDC)
  const done = await use.client.complete(await use.client.unwind('full'))
  expect(done.state).toBe('COMPLETED')
  expect((await use.balances()).deployed).toBe(0n)
  await expectRefused(use.engine.db, 'ALLOCATION_NOT_FOUND', () => use.client.unwind('full'))
})

test('a withdrawal without a position is ALLOCATION_NOT_FOUND', async () => {
  await expectRefused(use.engine.db, 'ALLOCATION_NOT_FOUND', () => use.client.unwind(1n))
})

test('an amount above the position’s value is INSUFFICIENT_BALANCE, and an amount of zero INVALID_AMOUNT', async () => {
  await deposit(100n * USDC)
  const { db } = use.engine
  await expectRefused(db, 'INSUFFICIENT_BALANCE', () => use.client.unwind(200n * USDC))
  await expectRefused(db, 'INVALID_AMOUNT', () => use.client.unwind(0n))
})

test('a submitted operation of the wallet is OPERATION_IN_PROGRESS', async () => {
  await deposit(100n * USDC)
  const plan = await use.client.unwind(10n * USDC)
  await use.dev.mineAtOnce(false)
  await use.client.submitAll(plan)
  await expectRefused(use.engine.db, 'OPERATION_IN_PROGRESS', () => use.client.unwind('full'))
})

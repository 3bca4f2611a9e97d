// Also tested elsewhere: every refusal over HTTP and their order (system/money/planning.test.ts), plans in random sequences
// (operations/submission/random-client-sequences.test.ts), and plans among faults and crashes (simulate/).
import { expect, test } from 'vitest'
import { expectRefused } from '../../../testing/operations/expect-refused.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { USDC } from '../../../testing/units.ts'

const use = useEngine()
const AAVE = 'aave-v3:polygon:USDC'

test('a supply reserves its amount and waits for its signatures, an approval first', async () => {
  const plan = await use.client.supply(600n * USDC)
  expect(plan).toMatchObject({ type: 'SUPPLY', state: 'EXECUTING', executor: 'client', amount: 600n * USDC })
  expect(plan.transactions.map(({ kind, status }) => [kind, status])).toEqual([
    ['approve', 'unsigned'],
    ['supply', 'unsigned'],
  ])
  expect(await use.balances()).toEqual({ available: 400n, reserved: 600n, deployed: 0n })
})

test('a new plan supersedes the wallet’s unsigned one and releases its reservation', async () => {
  const first = await use.client.supply(600n * USDC)
  const second = await use.client.supply(700n * USDC)
  expect(await use.client.operation(first)).toMatchObject({ state: 'ABORTED', failureReason: 'SUPERSEDED' })
  expect(second.transactions.map(({ nonce }) => nonce)).toEqual(first.transactions.map(({ nonce }) => nonce))
  expect(await use.balances()).toEqual({ available: 300n, reserved: 700n, deployed: 0n })
})

test('an amount above the balance is INSUFFICIENT_BALANCE, and an amount of zero INVALID_AMOUNT', async () => {
  const { db } = use.engine
  await expectRefused(db, 'INSUFFICIENT_BALANCE', () => use.client.supply(1_000n * USDC + 1n))
  await expectRefused(db, 'INVALID_AMOUNT', () => use.client.supply(0n))
})

test('a paused strategy is STRATEGY_NOT_ACTIVE, and an amount outside the bounds AMOUNT_OUT_OF_BOUNDS', async () => {
  const { db } = use.engine
  const set = (values: { status?: 'active' | 'paused'; min_deposit?: bigint | null }) =>
    db.updateTable('strategies').set(values).where('key', '=', AAVE).execute()
  try {
    await set({ status: 'paused' })
    await expectRefused(db, 'STRATEGY_NOT_ACTIVE', () => use.client.supply(10n * USDC))
    await expect(use.client.supply(10n * USDC)).rejects.toMatchObject({ details: { reason: 'paused' } })
    await set({ status: 'active', min_deposit: 11n * USDC })
    await expectRefused(db, 'AMOUNT_OUT_OF_BOUNDS', () => use.client.supply(10n * USDC))
  } finally {
    await set({ status: 'active', min_deposit: null })
  }
})

test('a balance from before the last settled block is no basis for a plan: CHAIN_UNAVAILABLE', async () => {
  const { db } = use.engine
  // The endpoint is replaced by one that lags: everything up to 100 blocks above its head is settled already.
  const ahead = (blocks: number) =>
    db
      .updateTable('chain_cursors')
      .set(({ eb }) => ({ final_number: eb('final_number', '+', blocks) }))
      .execute()
  await ahead(100)
  try {
    await expectRefused(db, 'CHAIN_UNAVAILABLE', () => use.client.supply(10n * USDC))
  } finally {
    await ahead(-100)
  }
  await use.client.supply(10n * USDC)
})

test('a wallet without gas is INSUFFICIENT_GAS', async () => {
  await use.dev.rpc('anvil_setBalance', use.client.address, '0x0')
  await expectRefused(use.engine.db, 'INSUFFICIENT_GAS', () => use.client.supply(10n * USDC))
})

test('a submitted operation of the wallet is OPERATION_IN_PROGRESS', async () => {
  const plan = await use.client.supply(100n * USDC)
  await use.dev.mineAtOnce(false)
  await use.client.submitAll(plan)
  await expectRefused(use.engine.db, 'OPERATION_IN_PROGRESS', () => use.client.supply(10n * USDC))
})

import { beforeEach, expect, test } from 'vitest'
import type { TestClient } from '../../../testing/operations/test-client.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { USDC } from '../../../testing/units.ts'
import { inTransaction, type Tx } from '../../database/index.ts'
import type { OpenAllocation } from './allocation.ts'
import { findOpenAllocations } from './save-position.ts'
import {
  type AllocationAmounts,
  advanceAllocations,
  closeAllocationsOfLostChain,
  updateAllocations,
} from './write-allocation.ts'

const use = useEngine()
let client: TestClient
let strategyId: number

beforeEach(async () => {
  client = use.client
  const operation = await client.supply(400n * USDC)
  strategyId = operation.strategyId
  await client.complete(operation)
})

const read = () =>
  inTransaction(
    use.engine.db,
    async (tx) => (await findOpenAllocations(tx, [{ wallet: client.wallet, strategyId }]))[0],
  )
const advance = (event: 'unwind_planned' | 'unwind_ended', wallet = client.wallet) =>
  inTransaction(use.engine.db, (tx) => advanceAllocations(tx, [{ wallet, strategyId, event }]))
const status = async () => (await read())?.status
/** The amounts of an allocation, with these changes. */
function amountsOf({ position, postedAt }: OpenAllocation, change: Partial<AllocationAmounts>): AllocationAmounts {
  const { shares, principal, value, price, realizedYield } = position
  const posted = { posted_value: value, posted_price: price, posted_at: postedAt, updated_at: postedAt }
  return { shares, principal, realized_yield: realizedYield, ...posted, ...change }
}

/** The row after `write`, which is rolled back because it skips the ledger. */
async function rowAfter(write: (tx: Tx) => Promise<void>) {
  const transaction = await use.engine.db.startTransaction().execute()
  try {
    await write(transaction)
    return await transaction
      .selectFrom('allocations')
      .selectAll()
      .where('wallet_id', '=', client.wallet.walletId)
      .executeTakeFirstOrThrow()
  } finally {
    await transaction.rollback().execute()
  }
}

test('an allocation is UNWINDING from the plan of an unwind until its end', async () => {
  expect(await status()).toBe('ACTIVE')
  await advance('unwind_planned')
  expect(await status()).toBe('UNWINDING')
  await advance('unwind_ended')
  expect(await status()).toBe('ACTIVE')
})

test('an event without a transition, or about another wallet, changes nothing', async () => {
  await advance('unwind_ended')
  await advance('unwind_planned', { ...client.wallet, walletId: client.wallet.walletId + 1_000_000 })
  expect(await status()).toBe('ACTIVE')
})

test('an allocation without shares is CLOSED for good', async () => {
  const open = (await read())!
  const at = new Date()
  const emptied = { shares: 0n, posted_value: 0n }
  const closing = { allocation: open, amounts: amountsOf(open, emptied), emptiedAt: at }
  const row = await rowAfter((tx) => updateAllocations(tx, [closing]))
  expect(row).toMatchObject({ ...emptied, status: 'CLOSED', closed_at: at })
  for (const later of [closing, { allocation: open, amounts: amountsOf(open, emptied) }]) {
    const again = rowAfter(async (tx) => {
      await updateAllocations(tx, [closing])
      await updateAllocations(tx, [later])
    })
    await expect(again).rejects.toThrow('only an open allocation has a position')
  }
})

test('a lost chain closes the allocation and keeps what it had earned', async () => {
  const earned = { posted_value: 410n * USDC, principal: 400n * USDC, realized_yield: 1n }
  const open = (await read())!
  const row = await rowAfter(async (tx) => {
    await updateAllocations(tx, [{ allocation: open, amounts: amountsOf(open, earned) }])
    await closeAllocationsOfLostChain(tx, client.wallet, new Date())
  })
  const lost = { status: 'CLOSED', shares: 0n, principal: 0n, posted_value: 0n, realized_yield: 10n * USDC + 1n }
  expect(row).toMatchObject(lost)
})

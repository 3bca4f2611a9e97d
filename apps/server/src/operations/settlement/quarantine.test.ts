import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { expectBooks, expectChain } from '../../../testing/expect-books.ts'
import { USDC } from '../../../testing/units.ts'
import { useEngine } from '../../../testing/use-engine.ts'

const use = useEngine()
const VAULT = 'erc4626:polygon:USDC'

/** Makes every posting for this wallet fail, like a defect of it alone. Returns a function that repairs it. */
async function breakPostings(walletId: number): Promise<() => Promise<void>> {
  await sql`
    create function refuse_posting() returns trigger language plpgsql as 'begin raise exception ''spoiled''; end';
    create trigger spoiled before insert on ledger_postings for each row
      when (new.wallet_id = ${sql.lit(walletId)}) execute function refuse_posting();
  `.execute(use.engine.db)
  return async () => {
    await sql`drop trigger spoiled on ledger_postings; drop function refuse_posting()`.execute(use.engine.db)
  }
}

const quarantined = () => use.engine.db.selectFrom('quarantined_wallets').selectAll().execute()
const deferredBlocks = () =>
  use.engine.db.selectFrom('quarantined_blocks').select('block_number').orderBy('block_number').execute()

test('a wallet that cannot be settled is quarantined while its chain goes on, and catches up block by block', async () => {
  const other = await use.engine.client({ usdc: 1_000n * USDC })
  await use.engine.settle()
  const plan = await use.client.supply(400n * USDC)
  const raw = await Promise.all(plan.transactions.map((transaction) => use.client.sign(transaction)))
  for (const bytes of raw) await use.client.submit(plan, bytes)
  const repair = await breakPostings(use.client.wallet.walletId)
  await use.engine.settle()
  expect(await quarantined()).toMatchObject([{ wallet_id: use.client.wallet.walletId, attempts: 1, error: 'spoiled' }])
  expect((await use.client.operation(plan)).state).toBe('CONFIRMING')

  // Other wallets are settled, and this wallet's blocks are deferred in order.
  expect((await other.complete(await other.supply(300n * USDC, VAULT))).state).toBe('COMPLETED')
  await use.client.receive(50n * USDC)
  await use.engine.settle()
  expect((await deferredBlocks()).length).toBeGreaterThanOrEqual(2)

  // After another failure, the next attempt is later.
  use.engine.clock.advance(30_000)
  await use.engine.settle()
  expect(await quarantined()).toMatchObject([{ attempts: 2 }])
  await repair()
  use.engine.clock.advance(59_000)
  await use.engine.settle()
  expect(await quarantined()).toHaveLength(1)
  use.engine.clock.advance(4_000)
  await use.engine.settle()
  expect(await quarantined()).toEqual([])
  expect(await use.client.operation(plan)).toMatchObject({ state: 'COMPLETED', settledAmount: 400n * USDC })
  expect((await use.balances()).available).toBe(650n)
  await use.engine.settle()
  await expectBooks(use.engine)
  await expectChain(use.engine)
})

test('a pending transaction of a quarantined wallet is not failed meanwhile', async () => {
  const repair = await breakPostings(use.client.wallet.walletId)
  await use.client.receive(1n * USDC)
  await use.engine.settle()
  await repair()
  const plan = await use.client.supply(100n * USDC)
  await use.dev.included(await use.client.submitAll(plan))
  await use.engine.settle()
  expect((await use.client.operation(plan)).state).toBe('CONFIRMING')
  use.engine.clock.advance(3_600_000)
  await use.engine.settle()
  expect((await use.client.operation(plan)).state).toBe('COMPLETED')
})

// Also tested elsewhere: retries (retry-quarantined.test.ts), pending transactions meanwhile (settlement/pending/check-pending.test.ts),
// bytes with used nonces (transactions/invalidate-consumed-nonces.test.ts), and contracts that fail
// (watch/misbehaving-contracts.test.ts).
import { expect, test } from 'vitest'
import { breakRows } from '../../../../testing/database/break-rows.ts'
import { breakPostings } from '../../../../testing/ledger/break-postings.ts'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { USDC } from '../../../../testing/units.ts'

const use = useEngine()
const VAULT = 'erc4626:polygon:USDC'

const quarantined = () => use.engine.db.selectFrom('quarantined_wallets').selectAll().execute()
const deferredBlocks = () =>
  use.engine.db.selectFrom('quarantined_blocks').select('block_number').orderBy('block_number').execute()

test('a wallet that cannot be settled is quarantined with the blocks it missed, and its chain goes on', async () => {
  const other = await use.engine.client({ usdc: 1_000n * USDC })
  await use.engine.settle()
  const plan = await use.client.supply(400n * USDC)
  const raw = await Promise.all(plan.transactions.map((transaction) => use.client.sign(transaction)))
  for (const bytes of raw) await use.client.submit(plan, bytes)
  const { walletId } = use.client.wallet
  const repair = await breakPostings(use.engine.db, walletId)
  await use.engine.settle()
  expect(await quarantined()).toMatchObject([{ wallet_id: walletId, attempts: 1, error: 'spoiled' }])
  expect((await use.client.operation(plan)).state).toBe('CONFIRMING')

  expect((await other.complete(await other.supply(300n * USDC, VAULT))).state).toBe('COMPLETED')
  await use.client.receive(50n * USDC)
  await use.engine.settle()
  expect((await deferredBlocks()).length).toBeGreaterThanOrEqual(2)
  await repair()
  use.engine.clock.advance(60_000)
})

test('a wallet whose statements time out is quarantined too, so it cannot stop its chain', async () => {
  const other = await use.engine.client({ usdc: 1_000n * USDC })
  await use.engine.settle()
  const { walletId } = use.client.wallet
  const when = `new.wallet_id = ${walletId}`
  const repair = await breakRows(use.engine.db, { table: 'ledger_postings', when, sqlState: '57014' })
  await use.client.receive(50n * USDC)
  await other.receive(50n * USDC)
  await use.engine.settle()
  expect(await quarantined()).toMatchObject([{ wallet_id: walletId, attempts: 1, error: 'spoiled' }])
  expect((await other.complete(await other.supply(1_050n * USDC, VAULT))).state).toBe('COMPLETED')
  await repair()
  use.engine.clock.advance(60_000)
  await use.engine.settle()
  expect((await use.balances()).available).toBe(1_050n)
})

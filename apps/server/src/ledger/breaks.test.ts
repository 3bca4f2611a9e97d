// Also tested elsewhere: what opens and closes breaks (operations/settlement/reconciliation/reconcile-balances.test.ts,
// operations/settlement/landings/late-landing.test.ts).
import { expect, test } from 'vitest'
import { useLedger } from '../../testing/ledger/use-ledger.ts'
import { inTransaction } from '../database/index.ts'
import { recordBreaks } from './breaks.ts'

const ledger = useLedger()

test('a wallet and token have at most one open break; it follows the difference and closes when that is gone', async () => {
  const { organizationId, ids } = await ledger.wallets(1)
  const ledgerBreak = { organizationId, walletId: ids[0]!, tokenAddress: '0xUSDC', at: ledger.clock.now() }
  const breaks = () =>
    ledger.db
      .selectFrom('ledger_breaks')
      .select(['amount', 'block_number', 'closed_at'])
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute()
  const record = (amount: bigint, blockNumber: number) =>
    inTransaction(ledger.db, (tx) => recordBreaks(tx, [{ ...ledgerBreak, reason: 'balance', amount, blockNumber }]))
  await record(0n, 1)
  expect(await breaks()).toEqual([])
  await record(5n, 2)
  await record(3n, 3)
  expect(await breaks()).toEqual([{ amount: 3n, block_number: 3, closed_at: null }])
  await record(0n, 4)
  await record(9n, 5)
  expect(await breaks()).toMatchObject([
    { amount: 3n, closed_at: ledger.clock.now() },
    { amount: 9n, closed_at: null },
  ])
})

test('breaks of other wallets and tokens stay open', async () => {
  const { organizationId, ids } = await ledger.wallets(2)
  const record = (walletId: number, tokenAddress: string, amount: bigint) => {
    const difference = { organizationId, walletId, tokenAddress, reason: 'balance', amount, blockNumber: 1 } as const
    return inTransaction(ledger.db, (tx) => recordBreaks(tx, [{ ...difference, at: ledger.clock.now() }]))
  }
  const [first, second] = ids
  await Promise.all([record(first!, '0xUSDC', 1n), record(first!, '0xUSDT', 2n), record(second!, '0xUSDC', 3n)])
  await record(first!, '0xUSDC', 0n)
  const open = ledger.db.selectFrom('ledger_breaks').select(['wallet_id', 'token_address', 'amount'])
  expect(
    await open.where('organization_id', '=', organizationId).where('closed_at', 'is', null).orderBy('amount').execute(),
  ).toEqual([
    { wallet_id: first, token_address: '0xUSDT', amount: 2n },
    { wallet_id: second, token_address: '0xUSDC', amount: 3n },
  ])
})

test('opening and closing emit an event each and are returned; a changed amount does neither', async () => {
  const { organizationId, ids } = await ledger.wallets(1)
  const [walletId] = ids
  const at = ledger.clock.now()
  const record = async (amount: bigint, blockNumber: number) => {
    const measured = { organizationId, walletId: walletId!, tokenAddress: '0xUSDC', reason: 'balance', amount } as const
    return inTransaction(ledger.db, (tx) => recordBreaks(tx, [{ ...measured, blockNumber, at }]))
  }
  const where = { organizationId, walletId, tokenAddress: '0xUSDC', breakId: expect.any(Number) }
  expect(await record(0n, 1)).toEqual([])
  const opened = await record(5n, 2)
  expect(opened).toEqual([{ ...where, change: 'opened' }])
  expect(await record(7n, 3)).toEqual([])
  expect(await record(0n, 4)).toEqual([{ ...where, breakId: opened[0]!.breakId, change: 'closed' }])
  expect(await record(0n, 5)).toEqual([])
  const events = await ledger.db
    .selectFrom('outbox')
    .select(['event', 'data'])
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute()
  expect(events).toMatchObject([
    { event: 'break.opened', data: { walletId, tokenAddress: '0xUSDC', amountBaseUnits: '5' } },
    { event: 'break.closed', data: { walletId, tokenAddress: '0xUSDC', amountBaseUnits: '7' } },
  ])
})

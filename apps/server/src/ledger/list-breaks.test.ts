import { expect, test } from 'vitest'
import { useLedger } from '../../testing/ledger/use-ledger.ts'
import { inTransaction } from '../database/index.ts'
import { acceptBreak } from './accept-break.ts'
import { recordBreaks } from './breaks.ts'
import { listBreaks } from './list-breaks.ts'

const ledger = useLedger()

test('the list shows the breaks of one organization, open ones first', async () => {
  const { organizationId, ids } = await ledger.wallets(2)
  const other = await ledger.wallets(1)
  const at = ledger.clock.now()
  const record = (owner: number, walletId: number, amount: bigint) =>
    inTransaction(ledger.db, (tx) =>
      recordBreaks(tx, [
        {
          organizationId: owner,
          walletId,
          tokenAddress: '0xUSDC',
          reason: 'balance',
          amount,
          blockNumber: 1,
          at,
        },
      ]),
    )
  await record(organizationId, ids[0]!, 5n)
  await record(organizationId, ids[1]!, 7n)
  await record(organizationId, ids[1]!, 0n)
  await record(other.organizationId, other.ids[0]!, 9n)
  const page = await listBreaks(ledger, organizationId, { limit: 10, offset: 0 })
  expect(page).toMatchObject({ total: 2, open: 1 })
  expect(page.items).toMatchObject([
    { walletId: ids[0], amount: 5n, status: 'open' },
    { walletId: ids[1], amount: 7n, status: 'closed', closedAt: at, acceptance: null },
  ])
  expect(await listBreaks(ledger, organizationId, { limit: 1, offset: 2 })).toMatchObject({
    items: [],
    total: 2,
  })
})

test('accepted and closed breaks are newest first, whether a closed one was accepted before or not', async () => {
  const { organizationId, ids } = await ledger.wallets(4)
  const record = (walletId: number, amount: bigint) =>
    inTransaction(ledger.db, (tx) =>
      recordBreaks(tx, [
        {
          organizationId,
          walletId,
          tokenAddress: '0xUSDC',
          reason: 'balance',
          amount,
          blockNumber: 1,
          at: ledger.clock.now(),
        },
      ]),
    )
  for (const walletId of ids) await record(walletId, 5n)
  const { items } = await listBreaks(ledger, organizationId, { limit: 10, offset: 0 })
  const of = (walletId: number) => items.find((one) => one.walletId === walletId)!.id
  for (const walletId of [ids[1]!, ids[3]!])
    await acceptBreak(ledger, { organizationId, breakId: of(walletId), userId: 7, reason: 'known' })
  await record(ids[0]!, 0n)
  await record(ids[1]!, 0n)
  await record(ids[2]!, 0n)
  const { items: listed } = await listBreaks(ledger, organizationId, { limit: 10, offset: 0 })
  expect(listed.map(({ walletId, status }) => [walletId, status])).toEqual([
    [ids[3], 'accepted'],
    [ids[2], 'closed'],
    [ids[1], 'closed'],
    [ids[0], 'closed'],
  ])
})

test('the breaks of a moment are those that were known then, in the state of then', async () => {
  const { organizationId, ids } = await ledger.wallets(1)
  const { clock, db } = ledger
  const record = (amount: bigint) =>
    inTransaction(db, (tx) =>
      recordBreaks(tx, [
        {
          organizationId,
          walletId: ids[0]!,
          tokenAddress: '0xUSDC',
          reason: 'balance',
          amount,
          blockNumber: 1,
          at: clock.now(),
        },
      ]),
    )
  const moments: Date[] = []
  const next = () => {
    clock.advance(1_000)
    moments.push(clock.now())
    clock.advance(1_000)
  }
  next()
  await record(5n)
  next()
  const { items } = await listBreaks(ledger, organizationId, { limit: 1, offset: 0 })
  await acceptBreak(ledger, { organizationId, breakId: items[0]!.id, userId: 7, reason: 'known' })
  next()
  await record(0n)
  next()
  clock.advance(3_600_000)
  const then = await Promise.all(
    moments.map(async (at) => {
      const { items: known, total, open } = await listBreaks(ledger, organizationId, { limit: 10, offset: 0, at })
      return {
        total,
        open,
        known: known.map((one) => [one.status, 'acceptance' in one ? one.acceptance?.acceptedReason : null]),
      }
    }),
  )
  expect(then).toEqual([
    { total: 0, open: 0, known: [] },
    { total: 1, open: 1, known: [['open', null]] },
    { total: 1, open: 0, known: [['accepted', 'known']] },
    { total: 1, open: 0, known: [['closed', 'known']] },
  ])
  const wanted = { limit: 10, offset: 0, status: 'accepted' } as const
  expect(await listBreaks(ledger, organizationId, { ...wanted, at: moments[2]! })).toMatchObject({ total: 1 })
  expect(await listBreaks(ledger, organizationId, wanted)).toMatchObject({ total: 0, items: [] })
})

test('a filter by chain and by the beginning of label or address covers every page; `open` counts all', async () => {
  const { organizationId, ids } = await ledger.wallets(2)
  const [payroll, reserve] = ids as [number, number]
  const label = (walletId: number, text: string) =>
    ledger.db
      .updateTable('wallets')
      .set({ label: text })
      .where('organization_id', '=', organizationId)
      .where('id', '=', walletId)
      .execute()
  await label(payroll, 'Payroll 100%')
  await label(reserve, 'Reserve_payroll')
  const { id: onSolana } = await ledger.db
    .insertInto('wallets')
    .columns(['organization_id', 'wallet_profile_id', 'blockchain', 'address', 'created_at'])
    .expression((of) =>
      of
        .selectFrom('wallets')
        .select(({ val }) => ['organization_id', 'wallet_profile_id', val('solana').as('chain'), val('0x2').as('to')])
        .select('created_at')
        .where('organization_id', '=', organizationId)
        .where('id', '=', payroll),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  const at = ledger.clock.now()
  const breakOf = (walletId: number) =>
    ({ organizationId, walletId, tokenAddress: '0xUSDC', reason: 'balance', amount: 1n, blockNumber: 1, at }) as const
  await inTransaction(ledger.db, (tx) => recordBreaks(tx, [payroll, reserve, onSolana].map(breakOf)))
  const find = async (filter: Pick<Parameters<typeof listBreaks>[2], 'blockchain' | 'text' | 'status' | 'at'>) => {
    const { items, total, open } = await listBreaks(ledger, organizationId, { limit: 10, offset: 0, ...filter })
    expect({ total, open }).toEqual({ total: items.length, open: filter.at === undefined ? 3 : open })
    return items.map(({ walletId }) => walletId)
  }
  expect(await find({ blockchain: 'polygon' })).toEqual([reserve, payroll])
  expect(await find({ blockchain: 'solana' })).toEqual([onSolana])
  expect(await find({ text: 'PAYROLL 100%' })).toEqual([payroll])
  expect(await find({ text: 'reserve%p' })).toEqual([])
  expect(await find({ text: '0X2' })).toEqual([onSolana])
  expect(await find({ text: '0x', blockchain: 'polygon' })).toEqual([reserve, payroll])
  expect(await find({ text: '0x', blockchain: 'polygon', status: 'closed' })).toEqual([])
  ledger.clock.advance(1_000)
  expect(await find({ text: 'reserve', at: ledger.clock.now() })).toEqual([reserve])
  const page = await listBreaks(ledger, organizationId, { limit: 1, offset: 1, blockchain: 'polygon' })
  expect(page).toMatchObject({ total: 2, items: [{ walletId: payroll }] })
})

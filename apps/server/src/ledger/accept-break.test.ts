import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useLedger } from '../../testing/ledger/use-ledger.ts'
import { until } from '../../testing/until.ts'
import { inTransaction } from '../database/index.ts'
import { silentLog } from '../kernel/index.ts'
import { acceptBreak } from './accept-break.ts'
import { recordBreaks } from './breaks.ts'
import { countOpenBreaks, findBreak, listBreaks } from './list-breaks.ts'

const ledger = useLedger()
const PERSON = 7

/** A wallet with an open break of five units, and how to measure the break again. */
async function openBreak() {
  const { organizationId, ids } = await ledger.wallets(1)
  const walletId = ids[0]!
  const where = { organizationId, walletId, tokenAddress: '0xUSDC', reason: 'balance', blockNumber: 1 } as const
  const measure = (amount: bigint) =>
    inTransaction(ledger.db, async (tx) => {
      await tx.selectFrom('wallets').select('id').where('id', '=', walletId).forUpdate().execute()
      return await recordBreaks(tx, [{ ...where, amount, at: ledger.clock.now() }])
    })
  await measure(5n)
  const { items } = await listBreaks(ledger, organizationId, { limit: 10, offset: 0 })
  const breakId = items[0]!.id
  const accept = (from = organizationId, transact?: Parameters<typeof acceptBreak>[2]) =>
    acceptBreak(ledger, { organizationId: from, breakId, userId: PERSON, reason: 'A fee, booked by hand.' }, transact)
  const events = async () => {
    const emitted = ledger.db.selectFrom('outbox').select('event').where('organization_id', '=', organizationId)
    return (await emitted.orderBy('id').execute()).map(({ event }) => event)
  }
  return { organizationId, walletId, breakId, measure, accept, events }
}

test('an accepted break names who, when and why, no longer counts as open, and emits an event', async () => {
  const { organizationId, breakId, accept, events } = await openBreak()
  const before = await countOpenBreaks(ledger.db)
  expect(await accept()).toMatchObject({
    id: breakId,
    status: 'accepted',
    amount: 5n,
    acceptance: { acceptedAt: ledger.clock.now(), acceptedBy: PERSON, acceptedReason: 'A fee, booked by hand.' },
  })
  expect(await countOpenBreaks(ledger.db)).toBe(before - 1)
  expect(await listBreaks(ledger, organizationId, { limit: 10, offset: 0, status: 'open' })).toMatchObject({
    total: 0,
    open: 0,
  })
  expect(await events()).toEqual(['break.opened', 'break.accepted'])
})

test('a break of a deleted organization, which nobody can accept, is not counted', async () => {
  const { organizationId } = await openBreak()
  const before = await countOpenBreaks(ledger.db)
  const set = { deleted_at: ledger.clock.now() }
  await ledger.db.updateTable('organizations').set(set).where('id', '=', organizationId).execute()
  expect(await countOpenBreaks(ledger.db)).toBe(before - 1)
})

test('what was accepted stays accepted while the amount is no larger, and opens again above it', async () => {
  const { organizationId, breakId, measure, accept } = await openBreak()
  await accept()
  for (const amount of [3n, 5n]) expect(await measure(amount)).toEqual([])
  expect(await findBreak(ledger.db, organizationId, breakId)).toMatchObject({ status: 'accepted', amount: 5n })
  expect(await measure(6n)).toHaveLength(1)
  const reopened = await findBreak(ledger.db, organizationId, breakId)
  expect(reopened).toMatchObject({ status: 'open', amount: 6n })
  expect(reopened).not.toHaveProperty('acceptance')
  expect((await accept()).status).toBe('accepted')
  await measure(0n)
  expect(await findBreak(ledger.db, organizationId, breakId)).toMatchObject({
    status: 'closed',
    acceptance: { acceptedBy: PERSON },
  })
})

test('a break that grows while it is being accepted opens again, with its event', async () => {
  const { measure, accept, events } = await openBreak()
  let growing: Promise<unknown[]> | undefined
  await accept(undefined, (work) =>
    inTransaction(ledger.db, async (tx) => {
      const accepted = await work(tx)
      growing = measure(6n)
      await until(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        `.execute(ledger.db)
        return rows.length > 0
      })
      return accepted
    }),
  )
  expect(await growing).toHaveLength(1)
  expect(await events()).toEqual(['break.opened', 'break.accepted', 'break.opened'])
})

test('a break is accepted once, by its own organization, and while it is open', async () => {
  const { accept, measure } = await openBreak()
  const stranger = (await ledger.wallets(1)).organizationId
  await expect(accept(stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const outcomes = await Promise.allSettled([accept(), accept(), accept()])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(accept()).rejects.toMatchObject({ code: 'CONFLICT' })
  await measure(0n)
  await expect(accept()).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('an acceptance is logged after its commit, with its place and without the reason', async () => {
  const { organizationId, walletId, breakId } = await openBreak()
  const lines: unknown[] = []
  const log = { ...silentLog, info: (facts: unknown) => void lines.push(facts) }
  const accept = (transact?: Parameters<typeof acceptBreak>[2]) =>
    acceptBreak(
      { db: ledger.db, clock: ledger.clock, log: log as typeof silentLog },
      { organizationId, breakId, userId: PERSON, reason: 'A fee, booked by hand.' },
      transact,
    )
  const isUndone = accept((work) =>
    inTransaction(ledger.db, async (tx) => {
      await work(tx)
      throw new Error('undone')
    }),
  )
  await expect(isUndone).rejects.toThrow('undone')
  expect(lines).toEqual([])
  await accept()
  const where = { organizationId, walletId, blockchain: 'polygon', address: '0x0', tokenAddress: '0xUSDC' }
  expect(lines).toEqual([{ ...where, breakId, userId: PERSON }])
})

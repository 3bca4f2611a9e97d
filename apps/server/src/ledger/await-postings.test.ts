// operations/views/list-positions-at.test.ts proves that positions wait too.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { LEDGER_TOKENS, useLedger } from '../../testing/ledger/use-ledger.ts'
import { until } from '../../testing/until.ts'
import { inTransaction, type Tx } from '../database/index.ts'
import { recordBreaks } from './breaks.ts'
import { listBalancesAt, listBreaks, post, postings } from './index.ts'

const ledger = useLedger()
const PAGE = { limit: 10, offset: 0 }

const lockWallet = (tx: Tx, organizationId: number, walletId: number) =>
  sql`select from wallets where organization_id = ${organizationId} and id = ${walletId} for update`.execute(tx)

/** A wallet that is paid 5 units in a transaction that is open: it took its time before the next moment. */
async function openBooking() {
  const { organizationId, ids } = await ledger.wallets(1)
  const entry = ledger.entry(organizationId, postings(ids[0]!, LEDGER_TOKENS[0]!, { available: 5n, external: -5n }))
  const tx = await ledger.db.startTransaction().execute()
  await lockWallet(tx, organizationId, ids[0]!)
  await post(tx, [entry])
  const read = (at: Date) => listBalancesAt(ledger, organizationId, { at, ...PAGE })
  return { organizationId, walletId: ids[0]!, tx, entry, read }
}

/** A moment after everything so far, old enough for a look at once. */
function nextMoment(): Date {
  ledger.clock.advance(1)
  const at = ledger.clock.now()
  ledger.clock.advance(1_500)
  return at
}

test('a view of a moment contains what was posted before it, also what commits only later', async () => {
  const { tx, read } = await openBooking()
  const at = nextMoment()
  const reading = read(at)
  // By then, one that waited for nothing has read.
  await read(new Date(0))
  await read(new Date(0))
  await tx.commit().execute()
  expect((await reading).items).toMatchObject([{ available: 5n }])
  expect((await read(at)).items).toMatchObject([{ available: 5n }])
})

test('it waits for a transaction that has its time, but waits itself for the lock of its wallet', async () => {
  const { organizationId, walletId, tx, read } = await openBooking()
  const entry = ledger.entry(organizationId, postings(walletId, LEDGER_TOKENS[0]!, { available: 7n, external: -7n }))
  const waiting = inTransaction(ledger.db, async (second) => {
    await lockWallet(second, organizationId, walletId)
    await post(second, [entry])
  })
  const waits = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until(async () => (await waits.execute(ledger.db)).rows.length > 0)
  const reading = read(nextMoment())
  await read(new Date(0))
  await tx.commit().execute()
  await waiting
  expect((await reading).items).toMatchObject([{ available: 12n }])
})

test('it leaves time for a transaction that took its time and has no lock yet', async () => {
  const { organizationId, ids } = await ledger.wallets(1)
  const entry = ledger.entry(organizationId, postings(ids[0]!, LEDGER_TOKENS[0]!, { available: 3n, external: -3n }))
  const tx = await ledger.db.startTransaction().execute()
  ledger.clock.advance(1)
  const reading = listBalancesAt(ledger, organizationId, { at: ledger.clock.now(), ...PAGE })
  await listBalancesAt(ledger, organizationId, { at: new Date(0), ...PAGE })
  await lockWallet(tx, organizationId, ids[0]!)
  await post(tx, [entry])
  await tx.commit().execute()
  expect((await reading).items).toMatchObject([{ available: 3n }])
})

test('a moment is refused while a posting from before stays open, and older moments wait for none', async () => {
  const { tx, read } = await openBooking()
  const at = nextMoment()
  await expect(read(at)).rejects.toMatchObject({ code: 'NOT_READY' })
  ledger.clock.advance(3_600_000)
  expect((await read(at)).items).toEqual([])
  await tx.rollback().execute()
})

test('the breaks of a moment contain one that opened before it and commits only later', async () => {
  const { organizationId, ids } = await ledger.wallets(1)
  const tx = await ledger.db.startTransaction().execute()
  const at = ledger.clock.now()
  await recordBreaks(tx, [
    { organizationId, walletId: ids[0]!, tokenAddress: '0xUSDC', reason: 'balance', amount: 5n, blockNumber: 1, at },
  ])
  const query = { ...PAGE, at: nextMoment() }
  const reading = listBreaks(ledger, organizationId, query)
  await listBreaks(ledger, organizationId, PAGE)
  await listBreaks(ledger, organizationId, PAGE)
  await tx.commit().execute()
  expect(await reading).toMatchObject({ total: 1, open: 1 })
})

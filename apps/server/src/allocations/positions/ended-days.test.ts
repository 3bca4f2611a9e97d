// Also tested elsewhere: days that end while a chain is followed (watch/end-of-day.test.ts), and the days of a chain that
// lost its blocks (operations/settlement/reorgs/reset-chain.test.ts, operations/settlement/reorgs/rollback-lost-final-blocks.test.ts).
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { draws } from '../../../testing/draws.ts'
import { expectValidLedger } from '../../../testing/ledger/expect-ledger.ts'
import { useChain } from '../../../testing/operations/use-chain.ts'
import type { Block } from '../../chains/index.ts'
import { inTransaction } from '../../database/index.ts'
import { leasedDatabase } from '../../database/queries/leased-database.ts'
import { addMilliseconds } from '../../kernel/index.ts'
import { settleWallets } from '../../operations/settlement/blocks/settle-wallet.ts'
import { RAY } from '../../venues/aave-v3/ray.ts'
import { type Wallet, walletFrom } from '../../wallets/index.ts'
import type { PriceReading } from './accrue-allocations.ts'
import { accruePositions } from './accrue-positions.ts'
import { deleteEndedDays, hasEndedDays, postEndedDays, saveEndedDay } from './ended-days.ts'

const use = useChain()
const DAY_MS = 86_400_000
const START = new Date('2031-01-01T00:00:00Z')
const WALLETS = 4
/** `ENDED_DAYS_RUNS=200` draws 200 new ones; a failure prints the seed for `ENDED_DAYS_SEED`, and the path. */
const DRAWS = draws('ENDED_DAYS_', { numRuns: 12, seed: 20_260_304 })
const SIGNAL = new AbortController().signal

const strategy = () => use.engine.strategy('aave-v3:polygon:USDC')
const isPosting = () => hasEndedDays(use.engine.db, 'polygon')
const savedDays = () => use.engine.db.selectFrom('ended_days').selectAll().orderBy('block_number').execute()
const post = (limit: number, db = use.engine.db) =>
  postEndedDays({ ...use.engine.parts, db }, 'polygon', { limit, signal: SIGNAL })

const open: Wallet[] = []

/** Wallets in the books only. */
async function newWallets(): Promise<readonly Wallet[]> {
  const { wallet } = await use.engine.client({ usdc: 0n })
  const { rows } = await sql<{ id: number }>`
    with copied as (
      insert into wallets (organization_id, wallet_profile_id, blockchain, address, created_at)
      select w.organization_id, w.wallet_profile_id, w.blockchain, 'copy ' || n, w.created_at
      from wallets w, generate_series(1, ${WALLETS}::int) n where w.id = ${wallet.walletId}
      returning organization_id, id
    ), opened as (
      insert into ledger_balances (organization_id, wallet_id, token_address)
      select c.organization_id, c.id, b.token_address
      from copied c join ledger_balances b on b.organization_id = c.organization_id and b.wallet_id = ${wallet.walletId}
    )
    select id from copied order by id
  `.execute(use.engine.db)
  const all = use.engine.db.selectFrom('wallets').selectAll().where('organization_id', '=', wallet.organizationId)
  const copies = await all
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('id')
    .execute()
  const wallets = copies.map(walletFrom)
  open.push(...wallets)
  return wallets
}

/** What moves a position: the shares that the chain shows, at a price. */
interface Move {
  readonly wallet: number
  readonly shares: bigint
  readonly price: bigint
  readonly isInLastBlock: boolean
  /** How many positions are posted before it, several times, when they are posted in pages. */
  readonly steps: readonly { readonly limit: number; readonly fate: 'done' | 'died' | 'two workers' }[]
}

interface Day {
  readonly moves: readonly Move[]
  readonly price: bigint
}

const priceAt = (thousandths: number) => (RAY * BigInt(thousandths)) / 1_000n
const price = fc.integer({ min: 900, max: 1_500 }).map(priceAt)
const step = fc.record({
  limit: fc.integer({ min: 1, max: 3 }),
  fate: fc.constantFrom('done' as const, 'died' as const, 'two workers' as const),
})
const move: fc.Arbitrary<Move> = fc.record({
  wallet: fc.integer({ min: 0, max: WALLETS - 1 }),
  shares: fc.bigInt({ min: 0n, max: 10n ** 12n }),
  price,
  isInLastBlock: fc.boolean(),
  steps: fc.array(step, { maxLength: 2 }),
})
const day = fc.record({ moves: fc.array(move, { maxLength: 5 }), price })

const blockAt = (number: number, time: Date): Block => ({
  number,
  hash: `block ${number}`,
  time,
  parentHash: '',
  transactions: [],
})

const AFTERWARDS = blockAt(100_000, addMilliseconds(START, 1_000 * DAY_MS))

/** Settles the wallet at a block that shows other shares. */
async function settleMove(wallet: Wallet, block: Block, { shares, price }: Pick<Move, 'shares' | 'price'>) {
  const snapshot = {
    wallet,
    isAtBlock: true,
    isComplete: false,
    balances: [],
    shares: [{ strategy: strategy(), shares, price, exit: undefined }],
  }
  await settleWallets(use.engine.parts, use.engine.chain, [{ block, snapshot, findings: [], reasons: new Map() }])
}

const readingAt = ({ number, hash, time }: Block, at: bigint): PriceReading => ({
  blockNumber: number,
  blockHash: hash,
  chainTime: time,
  prices: [{ strategy: strategy(), price: at }],
})

/** Settles days: each move is in a block of its own, and the last block of a day ends it. */
async function settleDays(
  wallets: readonly Wallet[],
  days: readonly Day[],
  posting: { endDay(reading: PriceReading): Promise<unknown>; step(one: Move['steps'][number]): Promise<unknown> },
): Promise<void> {
  for (const [index, { moves, price }] of days.entries()) {
    const last = blockAt((index + 1) * 100, addMilliseconds(START, (index + 1) * DAY_MS - 1_000))
    const inOrder = moves.toSorted((a, b) => Number(a.isInLastBlock) - Number(b.isInLastBlock))
    const settledLast = new Set<number>()
    for (const [position, each] of inOrder.entries()) {
      for (const one of each.steps) await posting.step(one)
      const early = blockAt(
        index * 100 + position + 1,
        addMilliseconds(START, index * DAY_MS + (position + 1) * 60_000),
      )
      // A block is settled once.
      if (each.isInLastBlock && settledLast.has(each.wallet)) continue
      if (each.isInLastBlock) settledLast.add(each.wallet)
      await settleMove(wallets[each.wallet]!, each.isInLastBlock ? last : early, each)
    }
    await posting.endDay(readingAt(last, price))
  }
}

/** What the books say of each wallet: every entry with its lines, every snapshot and every position. */
async function books(wallets: readonly Wallet[]): Promise<unknown[]> {
  const all: unknown[] = []
  for (const { organizationId, walletId } of wallets) {
    const { rows: entries } = await sql`
      select e.kind, e.block_number, json_agg(json_build_array(p.account, p.amount::text) order by p.account) as lines
      from ledger_entries e join ledger_postings p on p.organization_id = e.organization_id and p.entry_id = e.id
      where p.organization_id = ${organizationId} and p.wallet_id = ${walletId}
      group by e.id, e.kind, e.block_number order by e.id
    `.execute(use.engine.db)
    const { rows: snapshots } = await sql`
      select s.day::text, s.value, s.principal, s.yield, s.cumulative_yield
      from yield_snapshots s join allocations a on a.organization_id = s.organization_id and a.id = s.allocation_id
      where a.organization_id = ${organizationId} and a.wallet_id = ${walletId} order by a.id, s.day
    `.execute(use.engine.db)
    const { rows: positions } = await sql`
      select status, shares, principal, posted_value, posted_price, posted_at, realized_yield from allocations
      where organization_id = ${organizationId} and wallet_id = ${walletId} order by id
    `.execute(use.engine.db)
    const { rows: balances } = await sql`
      select deployed, yield, external from ledger_balances
      where organization_id = ${organizationId} and wallet_id = ${walletId} order by token_address
    `.execute(use.engine.db)
    all.push({ entries, snapshots, positions, balances })
  }
  return all
}

/** Forgets the days, and closes every position, so that nothing posts it again. */
async function cleanUp(): Promise<void> {
  await inTransaction(use.engine.db, (tx) => deleteEndedDays(tx, 'polygon'))
  for (const wallet of open.splice(0)) await settleMove(wallet, AFTERWARDS, { shares: 0n, price: RAY })
}

/** One step of posting, which may die before its place is saved, or meet a worker that does the same. */
async function postStep({ limit, fate }: Move['steps'][number]): Promise<void> {
  if (fate === 'two workers') return void (await Promise.all([post(limit), post(limit)]))
  const before = await savedDays()
  await post(limit)
  if (fate === 'done' || before.length === 0) return
  await inTransaction(use.engine.db, async (tx) => {
    await deleteEndedDays(tx, 'polygon')
    const rows = before.map((row) => ({ ...row, prices: JSON.stringify(row.prices) }))
    await tx.insertInto('ended_days').values(rows).execute()
  })
}

beforeEach(() => async () => {
  await use.engine.db.deleteFrom('job_leases').execute()
  await cleanUp()
  await expectValidLedger(use.engine)
})

test('in any sequence of days and movements, pages that die or run twice write the books of posting at once', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(day, { minLength: 1, maxLength: 3 }), async (days) => {
      const { db, parts } = use.engine
      await cleanUp()
      const atOnce = await newWallets()
      await settleDays(atOnce, days, {
        endDay: (reading) => accruePositions(parts, reading, { snapshot: true, postedBefore: reading.chainTime }),
        step: async () => {},
      })
      const expected = await books(atOnce)
      await cleanUp()
      const inPages = await newWallets()
      await settleDays(inPages, days, { endDay: (reading) => saveEndedDay(db, 'polygon', reading), step: postStep })
      while (await post(2));
      expect(await isPosting()).toBe(false)
      expect(await books(inPages)).toEqual(expected)
      await expectValidLedger(use.engine)
    }),
    DRAWS,
  )
})

test('a wallet that a block of the ended day moves late is not posted up to the end first', async () => {
  const [early, later] = await newWallets()
  const first = blockAt(1, addMilliseconds(START, 60_000))
  for (const wallet of [early!, later!]) await settleMove(wallet, first, { shares: 1_000_000n, price: RAY })
  const last = blockAt(100, addMilliseconds(START, DAY_MS - 1_000))
  await saveEndedDay(use.engine.db, 'polygon', readingAt(last, priceAt(1_200)))
  const moved = { findings: [], reasons: new Map() }
  const shares = [{ strategy: strategy(), shares: 2_000_000n, price: priceAt(1_100), exit: undefined }]
  const snapshot = { isAtBlock: true, isComplete: false, balances: [], shares }
  // In one transaction, whichever comes first.
  await settleWallets(use.engine.parts, use.engine.chain, [
    { ...moved, block: blockAt(101, addMilliseconds(START, DAY_MS)), snapshot: { ...snapshot, wallet: later! } },
    { ...moved, block: blockAt(50, addMilliseconds(START, DAY_MS / 2)), snapshot: { ...snapshot, wallet: early! } },
  ])
  const snapshots = await use.engine.db
    .selectFrom('yield_snapshots as s')
    .innerJoin('allocations as a', (join) =>
      join.onRef('a.organization_id', '=', 's.organization_id').onRef('a.id', '=', 's.allocation_id'),
    )
    .select(['a.wallet_id', 's.value'])
    .where('a.organization_id', '=', early!.organizationId)
    .execute()
  expect(snapshots).toEqual([{ wallet_id: later!.walletId, value: 1_200_000n }])
  await post(10)
})

test('a block that is settled after a later posting does not set its time back, so no yield is posted twice', async () => {
  const [wallet] = await newWallets()
  await settleMove(wallet!, blockAt(1, addMilliseconds(START, 60_000)), { shares: 1_000_000n, price: RAY })
  const last = blockAt(100, addMilliseconds(START, DAY_MS - 1_000))
  const reading = readingAt(last, priceAt(1_200))
  const endDay = async () => {
    await saveEndedDay(use.engine.db, 'polygon', reading)
    await post(10)
  }
  await endDay()
  const late = blockAt(50, addMilliseconds(START, DAY_MS / 2))
  await settleMove(wallet!, late, { shares: 2_000_000n, price: priceAt(1_100) })
  // The process died before it moved on, and ends the day again.
  await endDay()
  const { posted_at } = await use.engine.db
    .selectFrom('allocations')
    .select('posted_at')
    .where('wallet_id', '=', wallet!.walletId)
    .executeTakeFirstOrThrow()
  expect(posted_at).toEqual(last.time)
  const yields = await use.engine.db
    .selectFrom('ledger_entries')
    .select('block_number')
    .where('organization_id', '=', wallet!.organizationId)
    .where('kind', '=', 'yield')
    .execute()
  expect(yields).toEqual([{ block_number: last.number }])
})

test('a process that was replaced posts nothing, and leaves the place to the other one', async () => {
  const { db } = use.engine
  const [wallet] = await newWallets()
  await settleMove(wallet!, blockAt(1, addMilliseconds(START, 60_000)), { shares: 1_000_000n, price: RAY })
  const reading = readingAt(blockAt(100, addMilliseconds(START, DAY_MS - 1_000)), priceAt(1_200))
  await saveEndedDay(db, 'polygon', reading)
  const before = [await savedDays(), await books([wallet!])]
  await db
    .insertInto('job_leases')
    .values({ job: 'follow polygon', worker_id: 2, token: 2, since: new Date() })
    .execute()
  const replaced = leasedDatabase(db, { job: 'follow polygon', workerId: 1, token: 1 })
  await expect(post(10, replaced)).rejects.toMatchObject({ name: 'LeaseLost' })
  expect([await savedDays(), await books([wallet!])]).toEqual(before)
  expect(await post(10)).toBe(false)
  expect(await savedDays()).toEqual([])
})

// Also tested elsewhere: what is posted at the end of a day, and once (allocations/positions/accrue-positions.test.ts).
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '../../testing/chains/test-chain.ts'
import { breakRows } from '../../testing/database/break-rows.ts'
import { expectValidLedger } from '../../testing/ledger/expect-ledger.ts'
import { type EngineFixture, startEngineFixture } from '../../testing/operations/engine-fixture.ts'
import type { TestClient } from '../../testing/operations/test-client.ts'
import { USDC } from '../../testing/units.ts'
import { accruePositions, hasEndedDays } from '../allocations/index.ts'
import { inTransaction } from '../database/index.ts'
import { ACCRUE_BATCH, ACCRUE_STEP, DAY_END_RETRIES_MS } from '../kernel/index.ts'
import { post, postings } from '../ledger/index.ts'
import { readCursor } from './cursor.ts'
import { createFollower } from './follow-chain.ts'

let dev: TestChain
let engine: EngineFixture
beforeAll(async () => {
  dev = await startTestChain()
})
afterAll(() => dev.stop())
const STRATEGY = 'aave-v3:polygon:USDC'
/** More than two rounds post. */
const COPIES = 3 * ACCRUE_STEP

/** Moves the chain's clock to the next time of day (UTC), and mines a block. */
async function mineAt(hour: number): Promise<void> {
  const { latest } = await engine.chain.heads()
  const now = Math.floor(latest.time.getTime() / 1_000) % 86_400
  const passes = hour * 3_600 - now
  await dev.rpc('evm_increaseTime', passes > 0 ? passes : passes + 86_400)
  await dev.mine(1)
}

async function supplied(): Promise<TestClient> {
  const client = await engine.client({ usdc: 1_000n * USDC })
  await engine.settle()
  await client.complete(await client.supply(400n * USDC))
  return client
}

/** Wallets with the same position as this one, in the books only. */
async function copyPosition({ wallet, usdcAddress }: TestClient): Promise<void> {
  const { rows } = await sql<{ id: number; walletId: number; value: bigint }>`
    with copied as (
      insert into wallets (organization_id, wallet_profile_id, blockchain, address, created_at, reconciled_block)
      select w.organization_id, w.wallet_profile_id, w.blockchain, 'copy ' || n, w.created_at, w.reconciled_block
      from wallets w, generate_series(1, ${COPIES}::int) n where w.id = ${wallet.walletId}
      returning organization_id, id
    ), opened as (
      insert into ledger_balances (organization_id, wallet_id, token_address)
      select c.organization_id, c.id, b.token_address
      from copied c join ledger_balances b on b.organization_id = c.organization_id and b.wallet_id = ${wallet.walletId}
    )
    insert into allocations (organization_id, wallet_id, strategy_id, status, shares, principal, posted_value,
      posted_price, posted_at, opened_at, updated_at)
    select c.organization_id, c.id, a.strategy_id, a.status, a.shares, a.posted_value, a.posted_value, a.posted_price,
      a.posted_at, a.opened_at, a.updated_at
    from copied c join allocations a on a.organization_id = c.organization_id and a.wallet_id = ${wallet.walletId}
    returning id, wallet_id as "walletId", posted_value as value
  `.execute(engine.db)
  const { organizationId } = wallet
  const entry = { organizationId, kind: 'external_position', at: engine.clock.now() } as const
  const entries = rows.map(({ id, walletId, value }) => ({
    ...entry,
    source: `position:copy:${id}:0:1`,
    postings: postings(walletId, usdcAddress, { deployed: value, external: -value }),
  }))
  await inTransaction(engine.db, (tx) => post(tx, entries))
}

interface Day {
  readonly day: string
  readonly positions: number
  readonly values: number
  readonly yield: bigint
}

/** How many positions have a snapshot of each day, with how many different values, and the sum of their yields. */
async function days({ wallet }: TestClient): Promise<Day[]> {
  const { rows } = await sql<Day>`
    select day::text, count(*)::int as positions, count(distinct value)::int as values,
      sum(yield) as yield
    from yield_snapshots where organization_id = ${wallet.organizationId} group by day order by day
  `.execute(engine.db)
  return rows
}

/** The sum of the ledger's yield entries of the organization, and how many positions have more than one. */
async function inLedger({ wallet }: TestClient): Promise<{ yield: bigint; twice: number }> {
  const { rows } = await sql<{ yield: bigint; twice: number }>`
    select coalesce(sum(p.amount), 0) as yield,
      (select count(*)::int from (select from ledger_entries where organization_id = ${wallet.organizationId}
        and kind = 'yield' group by split_part(source, ':', 2) having count(*) > 1) more) as twice
    from ledger_entries e join ledger_postings p on p.organization_id = e.organization_id and p.entry_id = e.id
    where e.organization_id = ${wallet.organizationId} and e.kind = 'yield' and p.account = 'deployed'
  `.execute(engine.db)
  return rows[0]!
}

const isPosting = () => hasEndedDays(engine.db, 'polygon')
const settledBlock = async () => (await readCursor(engine.db, 'polygon'))!.final.number
const head = async () => (await engine.chain.heads()).final.number

beforeEach(async () => {
  engine = await startEngineFixture(dev)
  await mineAt(20)
  await engine.followOnce()
  return () => engine.close()
})

test('blocks are settled while the yield of a day is posted, a new process continues, and the totals are those of one', async () => {
  const client = await supplied()
  await copyPosition(client)
  const signal = new AbortController().signal
  await mineAt(23)
  await engine.followOnce()
  await mineAt(1)
  const posted: number[] = []
  while (posted.length === 0 || (await isPosting())) {
    await client.receive(1n * USDC)
    // Each round is another process's, which takes over.
    await createFollower(engine.parts, engine.chain, { isDevelopment: true, print: () => {} }).round(signal)
    expect(await settledBlock()).toBe(await head())
    posted.push((await days(client)).reduce((sum, { positions }) => sum + positions, 0))
  }
  expect(posted.length).toBeGreaterThan(1)
  expect(posted[0]).toBeLessThan(COPIES)
  const [ended, ...others] = await days(client)
  expect([ended!.positions, ended!.values, others]).toEqual([COPIES + 1, 1, []])
  expect(ended!.yield).toBeGreaterThan(0n)
  expect(await inLedger(client)).toEqual({ yield: ended!.yield, twice: 0 })
  await expectValidLedger(engine)
})

test('an end of a day that cannot be saved is tried again, and delays the chain for minutes only', async () => {
  const client = await supplied()
  await mineAt(23)
  await engine.followOnce()
  const repair = await breakRows(engine.db, { table: 'ended_days', when: 'true', sqlState: '57014' })
  await mineAt(1)
  await expect(engine.followOnce()).rejects.toThrow('spoiled')
  await repair()
  for (let round = 0; round < 3; round += 1) await engine.followOnce()
  expect(await days(client)).toHaveLength(1)

  const repairAgain = await breakRows(engine.db, { table: 'ended_days', when: 'true' })
  await mineAt(1)
  await expect(engine.followOnce()).rejects.toThrow('spoiled')
  engine.clock.advance(DAY_END_RETRIES_MS)
  await engine.followOnce()
  expect(await settledBlock()).toBe(await head())
  await repairAgain()
})

test('a database that is away holds up the end of a day however long, so that no position lacks its snapshot', async () => {
  const client = await supplied()
  await mineAt(23)
  await engine.followOnce()
  const repair = await breakRows(engine.db, { table: 'ended_days', when: 'true', sqlState: '57P01' })
  await mineAt(1)
  await expect(engine.followOnce()).rejects.toThrow('spoiled')
  engine.clock.advance(DAY_END_RETRIES_MS)
  await expect(engine.followOnce()).rejects.toThrow('spoiled')
  await repair()
  await engine.followOnce()
  expect(await days(client)).toHaveLength(1)
})

test('a position that a block of the new day moves is posted up to the end of its day first', async () => {
  const quiet = await supplied()
  await copyPosition(quiet)
  const moved = await engine.client({ organizationId: quiet.wallet.organizationId, usdc: 1_000n * USDC })
  await engine.settle()
  await moved.complete(await moved.supply(400n * USDC))
  const snapshots = async ({ wallet }: TestClient) =>
    await engine.db
      .selectFrom('yield_snapshots as s')
      .innerJoin('allocations as a', (join) =>
        join.onRef('a.organization_id', '=', 's.organization_id').onRef('a.id', '=', 's.allocation_id'),
      )
      .select(['s.day', 's.value', 's.cumulative_yield', 'a.shares', 'a.posted_at'])
      .where('a.wallet_id', '=', wallet.walletId)
      .execute()
  await mineAt(23)
  await engine.followOnce()
  await mineAt(1)
  await engine.followOnce()
  expect([await isPosting(), await snapshots(moved)]).toEqual([true, []])
  const before = await engine.db
    .selectFrom('allocations')
    .select(['shares', 'posted_value'])
    .where('wallet_id', '=', moved.wallet.walletId)
    .executeTakeFirstOrThrow()
  await dev.withoutMining(async () => {
    await moved.submitAll(await moved.supply(100n * USDC))
    await dev.mine(1)
  })
  await engine.followOnce()
  expect(await isPosting()).toBe(true)
  const [snapshot, ...others] = await snapshots(moved)
  expect(others).toEqual([])
  const { latest } = await engine.chain.heads()
  expect(snapshot!.day < latest.time.toISOString().slice(0, 10)).toBe(true)
  expect(snapshot!.shares).toBeGreaterThan(before.shares)
  // The value at the end of the day is of the shares before the deposit.
  expect(snapshot!.value - before.posted_value).toBe(snapshot!.cumulative_yield)
  expect(snapshot!.cumulative_yield).toBeGreaterThan(0n)
  while (await isPosting()) await engine.settle()
  expect((await days(quiet)).map(({ positions }) => positions)).toEqual([COPIES + 2])
  expect(await snapshots(moved)).toMatchObject([{ value: snapshot!.value }])
  await expectValidLedger(engine)
})

test('a day that ends before the one before it is posted waits for it', async () => {
  const client = await supplied()
  await copyPosition(client)
  for (let nights = 0; nights < 2; nights += 1) {
    await mineAt(1)
    await engine.followOnce()
  }
  while (await isPosting()) await engine.settle()
  const posted = await days(client)
  expect(posted.map(({ positions, values }) => [positions, values])).toEqual([
    [COPIES + 1, 1],
    [COPIES + 1, 1],
  ])
  expect((await inLedger(client)).yield).toBe(posted.reduce((sum, each) => sum + each.yield, 0n))
  await expectValidLedger(engine)
})

test('a stop ends the posting between two pages', async () => {
  const client = await supplied()
  await copyPosition(client)
  const { latest } = await engine.chain.heads()
  const strategy = engine.strategy(STRATEGY)
  const [now] = await engine.db
    .selectFrom('allocations')
    .select('posted_price')
    .where('wallet_id', '=', client.wallet.walletId)
    .execute()
  const stop = new AbortController()
  // Each page reads the clock once.
  const clock = {
    now() {
      stop.abort()
      return engine.clock.now()
    },
  }
  const chainTime = new Date(latest.time.getTime() + 1_000)
  const reading = { blockNumber: latest.number, blockHash: latest.hash, chainTime }
  const run = await accruePositions(
    { ...engine.parts, clock },
    { ...reading, prices: [{ strategy, price: now!.posted_price }] },
    { snapshot: true, postedBefore: chainTime, signal: stop.signal },
  )
  expect(run).toEqual({ positions: ACCRUE_BATCH, next: { strategyId: strategy.id, walletId: expect.any(Number) } })
  expect((await days(client)).map(({ positions }) => positions)).toEqual([ACCRUE_BATCH])
})

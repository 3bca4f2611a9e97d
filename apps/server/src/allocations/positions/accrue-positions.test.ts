import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { breakRows } from '../../../testing/database/break-rows.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { USDC } from '../../../testing/units.ts'
import { ACCRUE_BATCH, addMilliseconds } from '../../kernel/index.ts'
import { balancesOf } from '../../ledger/index.ts'
import { accruePositions, getEarnings, listPositions, yieldStatistics } from '../index.ts'

const use = useEngine()

test('repeating the end of a day after a crash posts nothing twice, even at another price', async () => {
  const { engine, client } = use
  await client.complete(await client.supply(400n * USDC))
  const strategy = engine.strategy('aave-v3:polygon:USDC')
  const { latest } = await engine.chain.heads()
  const [now] = await engine.db.selectFrom('allocations').select('posted_price').execute()
  const endDay = (price: bigint) =>
    accruePositions(
      engine.parts,
      {
        blockNumber: latest.number,
        blockHash: latest.hash,
        chainTime: addMilliseconds(latest.time, 1_000),
        prices: [{ strategy, price }],
      },
      { snapshot: true, postedBefore: addMilliseconds(latest.time, 1_000) },
    )
  const yields = () => engine.db.selectFrom('ledger_entries').select('id').where('kind', '=', 'yield').execute()
  const before = (await yields()).length
  await endDay((now!.posted_price * 1_001n) / 1_000n)
  await endDay((now!.posted_price * 1_002n) / 1_000n)
  expect(await yields()).toHaveLength(before + 1)
  expect(await engine.db.selectFrom('yield_snapshots').selectAll().execute()).toHaveLength(1)
})

test('a position that cannot be posted delays neither the others nor the chain', async () => {
  const { engine, client } = use
  const other = await engine.client({ usdc: 1_000n * USDC })
  await engine.settle()
  for (const one of [client, other]) await one.complete(await one.supply(400n * USDC))
  const { walletId } = client.wallet
  const when = `new.wallet_id = ${walletId} and new.posted_at <> new.opened_at`
  const repair = await breakRows(engine.db, { table: 'allocations', when })
  const postedAt = async ({ wallet }: { readonly wallet: { readonly walletId: number } }) =>
    (
      await engine.db
        .selectFrom('allocations')
        .select('posted_at')
        .where('wallet_id', '=', wallet.walletId)
        .executeTakeFirstOrThrow()
    ).posted_at.getTime()
  const before = await Promise.all([client, other].map(postedAt))
  await use.dev.rpc('evm_increaseTime', 2 * 86_400)
  await engine.settle()
  const after = await Promise.all([client, other].map(postedAt))
  expect([after[0] === before[0], after[1]! > before[1]!]).toEqual([true, true])
  await repair()
  await use.dev.rpc('evm_increaseTime', 2 * 86_400)
  await engine.settle()
  expect(await postedAt(client)).toBeGreaterThan(before[0]!)
})

/** Moves the chain's clock to the next time of day (UTC), and settles. */
async function goTo(hour: number): Promise<void> {
  const { latest } = await use.engine.chain.heads()
  const now = Math.floor(latest.time.getTime() / 1_000) % 86_400
  const passes = hour * 3_600 - now
  await use.dev.rpc('evm_increaseTime', passes > 0 ? passes : passes + 86_400)
  await use.engine.settle()
}

test('a quiet position is posted once a day of the chain, and what people see is exact to the unit in between', async () => {
  const { engine, client } = use
  await goTo(1)
  await client.complete(await client.supply(400n * USDC))
  const { organizationId, walletId } = client.wallet
  const { id } = await engine.db
    .selectFrom('allocations')
    .select('id')
    .where('wallet_id', '=', walletId)
    .executeTakeFirstOrThrow()
  const entries = async () =>
    (await engine.db.selectFrom('ledger_entries').select('id').where('source', 'like', `yield:${id}:%`).execute())
      .length
  const seen = async () => ({
    statistics: await yieldStatistics(engine.parts, organizationId, undefined),
    positions: await listPositions(engine.db, { organizationId, walletProfileId: null }, { wallets: { walletId } }),
    earnings: (
      await getEarnings(
        engine.parts,
        { organizationId, walletProfileId: null },
        { wallets: { walletId }, blockchain: 'polygon', token: 'USDC', days: 30 },
      )
    ).yieldEarned,
    balance: (await balancesOf(engine.db, { organizationId, walletId })).find(({ deployed }) => deployed > 0n),
  })
  await goTo(23)
  expect(await entries()).toBe(0)
  await goTo(1)
  const atFirst = await entries()
  const before = await seen()
  for (const hour of [5, 13, 23]) await goTo(hour)
  expect([atFirst, await entries()]).toEqual([1, 1])
  const quiet = await seen()
  expect(quiet.earnings).toBeGreaterThan(before.earnings)
  // The same reading, posted: only the ledger's own books change.
  const { price, price_at: chainTime } = await engine.db
    .selectFrom('strategies')
    .select(['price', 'price_at'])
    .where('key', '=', 'aave-v3:polygon:USDC')
    .executeTakeFirstOrThrow()
  const reading = { blockNumber: 1, blockHash: 'the same reading', chainTime: chainTime! }
  await accruePositions(
    engine.parts,
    { ...reading, prices: [{ strategy: engine.strategy('aave-v3:polygon:USDC'), price: price! }] },
    { snapshot: false, postedBefore: chainTime! },
  )
  const posted = await seen()
  expect(await entries()).toBe(2)
  expect({ ...posted, balance: undefined }).toEqual({ ...quiet, balance: undefined })
  expect(posted.balance!.deployed).toBeGreaterThan(quiet.balance!.deployed)
  await goTo(1)
  expect(await entries()).toBe(2)
  await goTo(23)
  await goTo(1)
  expect(await entries()).toBe(3)
})

test('a position that the end of a day left out is posted in the first hours of the next day', async () => {
  const { engine, client } = use
  await goTo(1)
  await client.complete(await client.supply(400n * USDC))
  const postedAt = async () =>
    (
      await engine.db
        .selectFrom('allocations')
        .select('posted_at')
        .where('wallet_id', '=', client.wallet.walletId)
        .executeTakeFirstOrThrow()
    ).posted_at
  const first = await postedAt()
  const repair = await breakRows(engine.db, { table: 'allocations', when: 'new.posted_at <> new.opened_at' })
  await goTo(23)
  await goTo(1)
  await repair()
  expect(await postedAt()).toEqual(first)
  await goTo(4)
  expect((await postedAt()).getTime() - first.getTime()).toBeGreaterThan(25 * 3_600_000)
})

test('more quarantined wallets in a row than fit on a page do not end it', async () => {
  const { engine, client } = use
  await client.complete(await client.supply(400n * USDC))
  await sql`
    with copied as (
      insert into wallets (organization_id, wallet_profile_id, blockchain, address, created_at)
      select w.organization_id, w.wallet_profile_id, w.blockchain, 'copy ' || n, w.created_at
      from wallets w, generate_series(1, ${ACCRUE_BATCH + 1}::int) n where w.id = ${client.wallet.walletId}
      returning organization_id, id
    ), held as (
      insert into allocations (organization_id, wallet_id, strategy_id, status, shares, principal, posted_value,
        posted_price, posted_at, opened_at, updated_at)
      select c.organization_id, c.id, a.strategy_id, a.status, a.shares, a.principal, a.posted_value, a.posted_price,
        a.posted_at, a.opened_at, a.updated_at
      from copied c, allocations a where a.wallet_id = ${client.wallet.walletId}
    )
    insert into quarantined_wallets (organization_id, wallet_id, blockchain, since, attempts, next_attempt_at, error)
    select organization_id, id, 'polygon', now(), 1, now() + interval '10 years', 'spoiled' from copied
  `.execute(engine.db)
  const last = await engine.client({ usdc: 1_000n * USDC })
  await engine.settle()
  await last.complete(await last.supply(400n * USDC))
  const { latest } = await engine.chain.heads()
  const chainTime = addMilliseconds(latest.time, 1_000)
  const position = () =>
    engine.db
      .selectFrom('allocations')
      .select(['posted_price', 'posted_at'])
      .where('wallet_id', '=', last.wallet.walletId)
      .executeTakeFirstOrThrow()
  const prices = [{ strategy: engine.strategy('aave-v3:polygon:USDC'), price: (await position()).posted_price }]
  await accruePositions(
    engine.parts,
    { blockNumber: latest.number, blockHash: latest.hash, chainTime, prices },
    { snapshot: false, postedBefore: chainTime },
  )
  expect((await position()).posted_at).toEqual(chainTime)
  await sql`
    delete from quarantined_wallets where error = 'spoiled';
    delete from allocations where wallet_id in (select id from wallets where address like 'copy %');
    delete from wallets where address like 'copy %';
  `.execute(engine.db)
})

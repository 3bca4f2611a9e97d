import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { breakRows } from '../../../testing/break-rows.ts'
import { USDC } from '../../../testing/units.ts'
import { useEngine } from '../../../testing/use-engine.ts'
import { ACCRUE_BATCH, addMilliseconds } from '../../kernel/index.ts'
import { accruePositions } from '../index.ts'

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

test('a position that cannot be posted does not keep the others, nor the chain', async () => {
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

test('more quarantined wallets in a row than a page holds do not end it', async () => {
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

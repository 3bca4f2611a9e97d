import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { BARE_STRATEGY } from '../../../testing/venues/bare-strategy.ts'
import { ManualClock } from '../../kernel/index.ts'
import { PRICE_SCALE } from '../../venues/erc4626/price.ts'
import { getOperationView } from './list-operation-views.ts'
import { calculateSupplyYield } from './supply-yield.ts'

const database = useFixture(testDatabase)
const EARLY = 1
const LATE = 2

/** A position of 365 days that earned 37.5: 1,000 from the first day on, 1,000 more for its last ten days. */
async function insertPosition(withdrawals: number) {
  const { db } = database
  await db.connection().execute(async (connection) => {
    await sql`
      set session_replication_role = replica;
      truncate organizations, venues, strategies, wallets, allocations, operations, transactions cascade;
      ${BARE_STRATEGY}
      insert into wallets (organization_id, id, wallet_profile_id, blockchain, address, created_at) overriding system value
        values (1, 1, 1, 'polygon', '0x1', now());
      insert into allocations (organization_id, wallet_id, strategy_id, status, shares, principal, posted_value,
        posted_price, posted_at, realized_yield, opened_at, updated_at, closed_at)
        values (1, 1, 1, 'CLOSED', 0, 0, 0, 0, '2027-01-01Z', 37500000, '2026-01-01Z', now(), '2027-01-01Z');
    `.execute(connection)
    await sql`
      insert into operations (organization_id, id, wallet_id, wallet_profile_id, strategy_id, type, executor, state,
        amount, settled_amount, created_at, updated_at) overriding system value
      select 1, n, 1, 1, 1, case when n <= 2 then 'SUPPLY' else 'UNWIND' end, 'agent', 'COMPLETED', 1000000000,
        case when n <= 2 then 1000000000 else 1 end, now(), now()
      from generate_series(1, ${sql.lit(2 + withdrawals)}) n;
      insert into transactions (organization_id, operation_id, position, kind, state, blockchain, sender, description,
        call, unsigned_bytes, can_still_land, tx_hash, included_at)
      select 1, id, 0, lower(type), 'confirmed', 'polygon', '0x', '', '{"family":"evm","to":"0x1","data":"0x","value":"0"}', '', false, '0x' || id,
        case id when 1 then '2026-01-01Z'::timestamptz when 2 then '2026-12-22Z' else '2026-12-30Z' end from operations;
      reset session_replication_role;
    `.execute(connection)
  })
}

async function yieldOf(operationId: number) {
  const parts = { db: database.db, clock: new ManualClock() }
  const { view } = await getOperationView(parts, 1, operationId)
  return (await calculateSupplyYield(parts, 1, view))!
}

test('a position shares its yield among its supplies by amount and time, so a late one shows no absurd rate', async () => {
  await insertPosition(0)
  const [early, late] = [await yieldOf(EARLY), await yieldOf(LATE)]
  expect(early).toMatchObject({ principal: 1_000_000_000n, earned: 36_500_000n, days: 365 })
  expect(late).toMatchObject({ principal: 1_000_000_000n, earned: 1_000_000n, days: 10 })
  expect(early.effectiveApy).toBeCloseTo(0.0365, 6)
  expect(late.effectiveApy).toBeCloseTo(1.001 ** 36.5 - 1, 6)
})

test('any number of operations since then changes nothing of what a supply earned', async () => {
  await insertPosition(101)
  expect(await yieldOf(EARLY)).toMatchObject({ earned: 36_500_000n })
  expect(await yieldOf(LATE)).toMatchObject({ earned: 1_000_000n })
})

/** A position that grew by 5 % within its 365 days: of its 1,000, all but 200 left after 73 days, at 1 % more. */
async function insertPartlyWithdrawn(isClosed: boolean) {
  const { db } = database
  await db.connection().execute(async (connection) => {
    await sql`
      set session_replication_role = replica;
      truncate organizations, venues, strategies, wallets, allocations, operations, transactions cascade;
      ${BARE_STRATEGY}
      insert into wallets (organization_id, id, wallet_profile_id, blockchain, address, created_at) overriding system value
        values (1, 1, 1, 'polygon', '0x1', now());
    `.execute(connection)
    const [left, realized, closedAt] = isClosed ? [0n, 18_000_000n, '2027-01-01Z'] : [200_000_000n, 8_000_000n, null]
    await sql`
      insert into allocations (organization_id, wallet_id, strategy_id, status, shares, principal, posted_value,
        posted_price, posted_at, realized_yield, opened_at, updated_at, closed_at)
      values (1, 1, 1, ${isClosed ? 'CLOSED' : 'ACTIVE'}, ${left}, ${left}, ${(left * 105n) / 100n},
        ${(PRICE_SCALE * 105n) / 100n}, '2027-01-01Z', ${realized}, '2026-01-01Z', now(), ${closedAt})
    `.execute(connection)
    const last = isClosed ? sql`, (3, 'UNWIND', 210000000, '2027-01-01Z'::timestamptz, 0.05)` : sql``
    await sql`
      with done (id, type, amount, at, apy) as (
        values (1, 'SUPPLY', 1000000000, '2026-01-01Z'::timestamptz, 0.07),
          (2, 'UNWIND', 808000000, '2026-03-15Z'::timestamptz, power(1.01, 5) - 1) ${last}
      ), planned as (
        insert into operations (organization_id, id, wallet_id, wallet_profile_id, strategy_id, type, executor, state,
          amount, settled_amount, actual_apy, created_at, updated_at) overriding system value
        select 1, id, 1, 1, 1, type, 'agent', 'COMPLETED', amount, amount, apy, now(), now() from done
      )
      insert into transactions (organization_id, operation_id, position, kind, state, blockchain, sender, description,
        call, unsigned_bytes, can_still_land, tx_hash, included_at)
      select 1, id, 0, lower(type), 'confirmed', 'polygon', '0x', '', '{"family":"evm","to":"0x1","data":"0x","value":"0"}', '', false, '0x' || id, at from done;
    `.execute(connection)
    await sql`set session_replication_role = default`.execute(connection)
  })
}

test.each([
  ['open', false],
  ['closed', true],
])(
  'the rate of a supply in a position that is %s counts only the principal that partial withdrawals left',
  async (_, isClosed) => {
    await insertPartlyWithdrawn(isClosed)
    const { earned, days, effectiveApy } = await yieldOf(EARLY)
    expect({ earned, days }).toEqual({ earned: 18_000_000n, days: 365 })
    // 1,000 for 73 days and 200 for 292: 360 on average.
    expect(effectiveApy).toBeCloseTo(18 / 360, 9)
  },
)

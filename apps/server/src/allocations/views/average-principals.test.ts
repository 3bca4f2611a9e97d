import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { BARE_STRATEGY } from '../../../testing/venues/bare-strategy.ts'
import { averagePrincipals } from './average-principals.ts'
import { listAllocations } from './list-allocations.ts'

const database = useFixture(testDatabase)
const PRINCIPAL = 1_000_000_000

test('the last day of a closed allocation counts with the principal that it had, an open one with what it has', async () => {
  const { db } = database
  await db.connection().execute((connection) =>
    sql`
      set session_replication_role = replica;
      ${BARE_STRATEGY}
      insert into wallets (organization_id, id, wallet_profile_id, blockchain, address, created_at) overriding system value
        values (1, 1, 1, 'polygon', '0x1', now()), (1, 2, 1, 'polygon', '0x2', now());
      insert into allocations (organization_id, id, wallet_id, strategy_id, status, shares, principal, posted_value,
        posted_price, posted_at, opened_at, updated_at, closed_at) overriding system value
        values (1, 1, 1, 1, 'CLOSED', 0, 0, 0, 0, '2026-03-02T18:00:00Z', '2026-03-01Z', now(), '2026-03-02T18:00:00Z'),
          (1, 2, 2, 1, 'ACTIVE', 250, 250000000, 250, 1, '2026-03-02T12:00:00Z', '2026-03-01Z', now(), null);
      insert into yield_snapshots (organization_id, allocation_id, day, value, principal, yield, cumulative_yield)
        select 1, id, '2026-03-01', ${sql.lit(PRINCIPAL)}, ${sql.lit(PRINCIPAL)}, 0, 0 from allocations;
      reset session_replication_role;
    `.execute(connection),
  )
  const filter = { statuses: ['ACTIVE', 'CLOSED'] as const, token: undefined, of: undefined }
  const { allocations } = await listAllocations(db, 1, filter, { limit: 10, offset: 0 })
  const averages = await averagePrincipals(db, 1, allocations)
  expect(averages.get(1)).toBe(PRINCIPAL)
  expect(averages.get(2)).toBe((PRINCIPAL * 2 + (PRINCIPAL / 4) * 1) / 3)
})

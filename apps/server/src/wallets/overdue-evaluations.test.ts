import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/index.ts'
import { useFixture } from '../../testing/use-fixture.ts'
import { EVALUATION_CLAIM_MS } from '../kernel/index.ts'
import { claimEvaluations, oldestOverdueEvaluation } from './index.ts'

const database = useFixture(testDatabase)
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))
const overdue = (second: number) => oldestOverdueEvaluation(database.db, at(second))

test('the longest overdue evaluation counts, but none that is claimed, still to come, or of a deleted organization', async () => {
  expect(await overdue(1_000)).toBe(0)
  await sql`
    insert into organizations (name, created_at) values ('One', now()), ('Two', now()), ('Three', now());
    insert into wallet_profiles (organization_id, name, enabled_chains, operation_timeout_seconds, created_at)
      select o, 'first', '{polygon}', 120, now() from generate_series(1, 3) o;
    insert into wallets (organization_id, wallet_profile_id, blockchain, address, created_at)
      select organization_id, id, 'polygon', '0xa', now() from wallet_profiles order by organization_id;
    update organizations set deleted_at = now() where id = 3;
  `.execute(database.db)
  await sql`
    insert into operational_wallets (organization_id, wallet_id, token_address, enable_yield, buffer_amount, created_at,
      updated_at, due_at)
      select w.organization_id, w.id, due.token, true, 0, now(), now(), due.at from wallets w join (values
        (1, '0x1', ${at(60)}::timestamptz), (1, '0x2', ${at(10)}), (1, '0x3', null),
        (2, '0x1', ${at(20)}), (2, '0x2', ${at(40)}),
        (3, '0x1', ${at(5)})) due(organization, token, at) on due.organization = w.organization_id
  `.execute(database.db)
  expect([await overdue(9), await overdue(10), await overdue(15), await overdue(50)]).toEqual([0, 0, 5, 40])
  expect(await claimEvaluations(database.db, at(30), 10)).toHaveLength(2)
  expect([await overdue(30), await overdue(42)]).toEqual([0, 2])
  // Their process ends nothing: the claims lapse.
  await claimEvaluations(database.db, at(60), 10)
  expect(await overdue(60 + EVALUATION_CLAIM_MS / 1_000 + 7)).toBe(7)
})

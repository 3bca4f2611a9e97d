import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../testing/index.ts'
import { countMilestones, registerOperationMetrics } from './operation-metrics.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  await database.db.connection().execute(async (connection) => {
    await sql`
      insert into organizations (name, created_at) values ('One', now()), ('Two', now());
      insert into wallet_profiles (organization_id, name, enabled_chains, operation_timeout_seconds, created_at)
        values (1, 'first', '{polygon}', 120, now());
      insert into api_keys (organization_id, name, scope, key_hash, preview, created_at, last_polled_at, revoked_at,
        expires_at) values
        (1, 'an agent', 'organization', '\\x01', 'a', now(), now() - interval '300 s', null, null),
        (1, 'revoked', 'organization', '\\x02', 'b', now(), now() - interval '400 s', now(), null),
        (1, 'expired', 'organization', '\\x03', 'c', now(), now() - interval '500 s', null, now()),
        (1, 'retired', 'organization', '\\x04', 'd', now(), now() - interval '8 d', null, null),
        (1, 'no agent', 'organization', '\\x05', 'e', now(), null, null, null);
    `.execute(connection)
    await sql`set session_replication_role = replica`.execute(connection)
    await sql`
      insert into operations (organization_id, wallet_id, wallet_profile_id, strategy_id, type, executor, state, amount,
        created_at, updated_at)
        select 1, 1, 1, 1, 'SUPPLY', 'agent', state, 1, now() - age, now()
        from (values ('PENDING_APPROVAL', interval '100 s'), ('PENDING_APPROVAL', interval '60 s'),
          ('COMPLETED', interval '900 s')) o(state, age);
      insert into operational_wallets (organization_id, wallet_id, token_address, enable_yield, buffer_amount, created_at,
        updated_at, due_at) values (1, 1, '0x1', true, 0, now(), now(), now() - interval '500 s');
      insert into agent_work (organization_id, transaction_id, operation_id, position, blockchain, sender, stage,
        available_at, created_at)
        select 1, n, 1, n, 'polygon', '0xa', stage, now() - age, now()
        from (values (1, 'ready', interval '40 s'), (2, 'ready', interval '70 s'), (3, 'leased', interval '800 s'))
          w(n, stage, age);
      insert into operations (organization_id, id, wallet_id, wallet_profile_id, strategy_id, type, executor, state,
        amount, created_at, updated_at) overriding system value
        values (1, 91, 1, 1, 1, 'SUPPLY', 'client', 'FAILED', 1, now(), now()),
          (1, 92, 1, 1, 1, 'SUPPLY', 'agent', 'FAILED', 1, now(), now());
      insert into transactions (organization_id, operation_id, position, kind, state, blockchain, sender, description,
        call, nonce, failure_code, can_still_land, submitted_at)
        select 1, operation, row_number() over (), 'supply', 'failed', 'polygon', '0xa', '', '{}', 1, code, can_land, now() - age
        from (values (91, 'TIMEOUT', true, interval '9000 s'), (92, 'TIMEOUT', true, interval '4000 s'),
          (92, 'TIMEOUT', false, interval '9000 s'), (92, 'REVERTED', true, interval '9000 s'))
          t(operation, code, can_land, age);
    `.execute(connection)
    await sql`reset session_replication_role`.execute(connection)
  })
})
afterAll(() => database.close())

async function valueOfSeries(registry: Registry, series: string): Promise<number> {
  const line = (await registry.metrics()).split('\n').find((text) => text.startsWith(`${series} `))
  return Number(line?.split(' ').at(-1))
}

test('the oldest approval, the oldest waiting work, and the agents that still count are measured', async () => {
  const registry = new Registry()
  registerOperationMetrics(registry, database.db)
  expect(Math.floor(await valueOfSeries(registry, 'weir_approval_oldest_seconds')) - 100).toBeLessThan(30)
  expect(await valueOfSeries(registry, 'weir_approval_oldest_seconds')).toBeGreaterThanOrEqual(100)
  expect(await valueOfSeries(registry, 'weir_agent_work_oldest_seconds')).toBeGreaterThanOrEqual(70)
  expect(await valueOfSeries(registry, 'weir_agent_work_oldest_seconds')).toBeLessThan(800)
  expect(Math.floor((await valueOfSeries(registry, 'weir_stuck_transaction_oldest_seconds')) / 100)).toBe(40)
  expect(await valueOfSeries(registry, 'weir_buffer_short_oldest_seconds')).toBe(0)
  expect(Math.floor((await valueOfSeries(registry, 'weir_evaluation_overdue_seconds')) / 100)).toBe(5)
  const text = await registry.metrics()
  expect(text.match(/^weir_agent_poll_age_seconds\{.*\}/gm)).toEqual([
    'weir_agent_poll_age_seconds{organization="1",key="1"}',
  ])
  expect(await valueOfSeries(registry, 'weir_agent_poll_age_seconds{organization="1",key="1"}')).toBeGreaterThanOrEqual(
    300,
  )
})

test('outcomes count by reason, failed transactions by code, and restored buffers by their seconds', async () => {
  const registry = new Registry()
  const { count } = countMilestones(registry)
  const type = 'SUPPLY'
  count({ name: 'operation planned', facts: { type } })
  count({ name: 'operation settled', facts: { type } })
  count({ name: 'operation expired', facts: { type, reason: 'EXPIRED' } })
  count({ name: 'operation failed', facts: { type, reason: 'ONCHAIN' } })
  count({ name: 'transaction reverted', facts: { blockchain: 'base', code: 'REVERTED' } })
  count({ name: 'buffer restored', facts: { seconds: 42 } })
  const series = (await registry.metrics()).split('\n').filter((line) => /^weir_(operations|transactions)/.test(line))
  expect(series).toEqual([
    'weir_operations_ended_total{type="SUPPLY",outcome="completed",reason="none"} 1',
    'weir_operations_ended_total{type="SUPPLY",outcome="failed",reason="EXPIRED"} 1',
    'weir_operations_ended_total{type="SUPPLY",outcome="failed",reason="ONCHAIN"} 1',
    'weir_transactions_failed_total{blockchain="base",code="REVERTED"} 1',
  ])
  expect(await valueOfSeries(registry, 'weir_buffer_restored_seconds_sum')).toBe(42)
})

test('every failure that an alert reads begins at 0, so that a first burst is an increase', async () => {
  const registry = new Registry()
  const { count, showZeros } = countMilestones(registry)
  showZeros(['base', 'solana'])
  const text = await registry.metrics()
  expect(text.match(/^weir_transactions_failed_total\{.* 0$/gm)).toHaveLength(16)
  expect(text.match(/^weir_operations_ended_total\{.* 0$/gm)).toHaveLength(9)
  const reverted = 'weir_transactions_failed_total{blockchain="base",code="REVERTED"}'
  const expired = 'weir_operations_ended_total{type="UNWIND",outcome="failed",reason="EXPIRED"}'
  expect([await valueOfSeries(registry, reverted), await valueOfSeries(registry, expired)]).toEqual([0, 0])
  count({ name: 'transaction reverted', facts: { blockchain: 'base', code: 'REVERTED' } })
  count({ name: 'operation expired', facts: { type: 'UNWIND', reason: 'EXPIRED' } })
  expect([await valueOfSeries(registry, reverted), await valueOfSeries(registry, expired)]).toEqual([1, 1])
  expect((await registry.metrics()).match(/^weir_(?:operations_ended|transactions_failed)_total\{/gm)).toHaveLength(25)
})

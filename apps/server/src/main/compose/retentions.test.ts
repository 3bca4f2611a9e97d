import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { ManualClock } from '../../kernel/index.ts'
import { retentionsOf } from './retentions.ts'

const database = useFixture(testDatabase)

const retentions = retentionsOf(
  { clock: new ManualClock(new Date('2026-03-01T10:00:00Z')), sessionLimits: { idleMs: 1_000, maxMs: 2_000 } },
  { eventsRetentionMs: 1_000, securityEventsRetentionMs: 1_000 },
)

test('these tables lose rows by age; the audit log, the ledger and operations do not', () => {
  expect(retentions.map(({ table }) => table)).toEqual([
    'idempotency_keys',
    'webhook_deliveries',
    'outbox',
    'login_addresses',
    'refresh_tokens',
    'sessions',
    'account_tokens',
    'member_invitations',
    'login_attempts',
    'login_account_attempts',
    'factor_challenges',
    'sso_sign_ins',
    'key_errors',
    'key_requests',
    'security_events',
    'mails',
    'ramp_bridge_ignored_events',
  ])
})

test('each batch finds its rows by an index, in their order', async () => {
  for (const { table, statement } of retentions) {
    const plan = await inTransaction(database.db, async (tx) => {
      await sql`set local enable_seqscan = off; set local enable_bitmapscan = off`.execute(tx)
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${statement(10)}`.execute(tx)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
    expect(plan, table).not.toContain(`Seq Scan on ${table}`)
    // Up to the limit, nothing is sorted: the index has the order.
    const [found = ''] = plan.slice(plan.indexOf('Limit')).split('CTE noted')
    expect(found, table).not.toMatch(/Sort/)
  }
})

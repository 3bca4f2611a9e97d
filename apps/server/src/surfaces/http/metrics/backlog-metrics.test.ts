import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { testDatabase, until } from '../../../../testing/index.ts'
import { emit, inTransaction } from '../../../database/index.ts'
import { registerBacklogMetrics } from './backlog-metrics.ts'

const NAMES = [
  'weir_erasure_oldest_seconds',
  'weir_open_breaks',
  'weir_events_waiting',
  'weir_event_oldest_seconds',
  'weir_webhook_deliveries_pending',
  'weir_webhook_overdue_seconds',
  'weir_webhooks_failing',
  'weir_webhooks_disabled',
  'weir_onramp_open',
  'weir_offramp_open',
  'weir_ramp_oldest_seconds',
  'weir_deposits_waiting_seconds',
  'weir_wallets_quarantined',
]

test('reports every number, and NaN instead of an old one while the database is unavailable', async () => {
  const database = await testDatabase()
  const registry = new Registry()
  registerBacklogMetrics(registry, database.db)
  const quiet = await registry.metrics()
  const at = new Date(Date.now() - 5_000_000)
  const event = { organizationId: 1, event: 'wallet.created', objectType: 'wallet', objectId: 1, data: {}, at }
  await inTransaction(database.db, (tx) => emit(tx, [event]))
  expect(await registry.metrics()).toMatch(/\nweir_event_oldest_seconds 50\d\d/)
  await database.close()
  const away = await registry.metrics()
  for (const name of NAMES) {
    expect(quiet).toContain(`\n${name} 0\n`)
    expect(away).toContain(`\n${name} Nan\n`)
  }
})

test('a database that is silent is NaN in time for the scrape, and further scrapes take no further connection', async () => {
  const { db, close } = await testDatabase()
  const registry = new Registry()
  registerBacklogMetrics(registry, db, { timeoutMs: 100 })
  await inTransaction(db, async (tx) => {
    await sql`lock table ledger_breaks in access exclusive mode`.execute(tx)
    // Not in the transaction, which sees one moment of the activity only.
    const waiting = async () =>
      (
        await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        `.execute(db)
      ).rows.length
    expect(await registry.metrics()).toContain('\nweir_open_breaks Nan\n')
    await until(async () => (await waiting()) > 0)
    for (const _scrape of [2, 3]) expect(await registry.metrics()).toContain('\nweir_open_breaks Nan\n')
    expect(await waiting()).toBe(1)
  })
  await until(async () => (await registry.metrics()).includes('\nweir_open_breaks 0\n'))
  await close()
})

test('a count that does not end in time takes no age of events with it, nor what is held', async () => {
  const { db, close } = await testDatabase()
  const registry = new Registry()
  registerBacklogMetrics(registry, db, { timeoutMs: 5_000 })
  // Connects, which takes a part of that time on a busy machine.
  await registry.metrics()
  await inTransaction(db, async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    await sql`lock table webhook_deliveries in access exclusive mode`.execute(tx)
    const scraped = await registry.metrics()
    expect(scraped).toContain('\nweir_webhook_deliveries_pending Nan\n')
    for (const name of ['events_waiting', 'event_oldest_seconds', 'events_held', 'webhook_overdue_seconds'])
      expect(scraped).toContain(`\nweir_${name} 0\n`)
  })
  await close()
})

import { sql } from 'kysely'
import { type Hex, parseTransaction } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Database,
  findRunningPostgres,
  migrate,
  type OpenDatabase,
  openDatabase,
} from '../../src/database/index.ts'
import { verifyAuditLogs } from '../../src/identity/index.ts'
import { silentLog } from '../../src/kernel/index.ts'
import {
  keyOf,
  readUpgradeFixture,
  restoreDatabase,
  restoreDataFolder,
  type UpgradeFixture,
} from '../../testing/fixtures/upgrade-fixture.ts'
import { emptyDatabase, until } from '../../testing/index.ts'
import { LEDGER_RULES } from '../../testing/ledger/ledger-rules.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../testing/webhooks/webhook-receiver.ts'
import type { Data, Operation, Session } from '../clients/api-types.ts'
import { ANONYMOUS, type HttpClient, withKey, withToken } from '../clients/client.ts'
import { createWalletClient } from '../clients/wallet-client.ts'
import { type System, startSystem } from '../service/start-system.ts'

/** Tables and columns that have been renamed since. */
const TABLES: Readonly<Record<string, string>> = {
  wallets_set_aside: 'quarantined_wallets',
  set_aside_blocks: 'quarantined_blocks',
  ramp_bridge_ignored: 'ramp_bridge_ignored_events',
  tallies: 'counters',
}
const COLUMNS: Readonly<Record<string, string>> = {
  'transactions.watched': 'can_still_land',
  'transactions.seen_at': 'last_seen_at',
  'operations.flagged': 'flag_reason',
  'agent_work.handed_out_at': 'issued_at',
  'agent_work.paused_because': 'pause_reason',
  'agent_work.refused_count': 'failed_check_count',
  'agent_work.first_refused_at': 'first_failed_check_at',
  'chain_nonces.seen_count': 'latest_count',
  'wallets.compared_block': 'reconciled_block',
  'operational_wallets.consider_at': 'due_at',
  'operational_wallets.rebalance_note': 'last_evaluation',
  'audit_log.came_from': 'ip_address',
  'webhooks.wake_at': 'due_at',
  'webhooks.disabled_because': 'disable_reason',
  'webhook_deliveries.tries': 'attempt_count',
  'ramp_accounts.account_number_end': 'account_number_last4',
  'ramp_deposits.seen_at': 'detected_at',
  'ramp_bridge_intents.held_until': 'leased_until',
  'ramp_bridge_intents.key_made_at': 'key_created_at',
  'tallies.counted': 'entity',
}

type Row = Readonly<Record<string, string | null>>

/** Every row of a table as text: numbers keep every digit. */
async function rowsOf(db: Database, table: string): Promise<Row[]> {
  const { rows } = await sql<{ row: Row }>`
    select (select json_object_agg(key, value) from jsonb_each_text(to_jsonb(t))) as row from ${sql.table(table)} t
  `.execute(db)
  return rows.map(({ row }) => row)
}

const sorted = (rows: readonly Row[], columns: readonly string[]) =>
  rows.map((row) => JSON.stringify(columns.map((column) => row[column] ?? null))).sort()

describe('a database of the version before the field’s terms, migrated', () => {
  let opened: OpenDatabase
  let drop: () => Promise<void>
  const before = new Map<string, Row[]>()
  beforeAll(async () => {
    const empty = await emptyDatabase()
    drop = empty.drop
    opened = openDatabase({ url: empty.url, log: silentLog, max: 2 })
    await restoreDatabase(opened.db)
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'
    `.execute(opened.db)
    for (const { name } of rows) before.set(name, await rowsOf(opened.db, name))
    await migrate(opened.db, silentLog)
  })
  afterAll(async () => {
    await opened?.close()
    await drop?.()
  })

  test('has every row that it had, with every value, in tables and columns that only changed their names', async () => {
    expect([...before.values()].flat().length).toBeGreaterThan(900)
    for (const [table, rows] of before) {
      const after = await rowsOf(opened.db, TABLES[table] ?? table)
      expect(after.length, table).toBe(rows.length)
      const columns = Object.keys(rows[0] ?? {})
      const renamed = columns.map((column) => COLUMNS[`${table}.${column}`] ?? column)
      expect(sorted(after, renamed), table).toEqual(sorted(rows, columns))
    }
  })

  test('has the amounts of moves in columns, as the reasons of their operations state them', async () => {
    const { rows } = await sql<{ moves: number; differing: number }>`
      select count(*) as moves, count(*) filter (where (planned_value, move_total, move_remaining, catalogue_fingerprint)
        is distinct from ((reasons->>'worth')::numeric, (reasons->>'whole')::numeric, (reasons->>'rest')::numeric,
          reasons->>'strategies')) as differing
      from operations where reasons is not null
    `.execute(opened.db)
    expect(rows[0]!.moves).toBeGreaterThan(0)
    expect(rows[0]!.differing).toBe(0)
  })

  test('keeps every rule of the ledger, and its audit logs are whole', async () => {
    const { db } = opened
    for (const { what, finds } of LEDGER_RULES) {
      if (finds.includes('quarantined_wallets')) continue
      expect((await sql.raw(finds).execute(db)).rows, what).toEqual([])
    }
    const verified = []
    for await (const { entries, broken } of verifyAuditLogs(db)) verified.push({ hasEntries: entries > 10, broken })
    expect(verified).toEqual([{ hasEntries: true, broken: undefined }])
  })
})

describe('a data folder of the version before the field’s terms, started', () => {
  let fixture: UpgradeFixture
  let receiver: WebhookReceiver
  let system: System
  let profile: HttpClient
  let owner: HttpClient
  beforeAll(async () => {
    fixture = await readUpgradeFixture()
    receiver = await startWebhookReceiver()
    system = await startSystem({}, (dataDir) => restoreDataFolder(dataDir, receiver.url))
    profile = system.as(withKey(fixture.profileApiKey))
    const { email, password } = fixture.credentials
    const session = await system.as(ANONYMOUS).post<Data<Session>>('/api/core/auth/login', { email, password })
    owner = system.as(withToken(session.body.data.accessToken))
  })
  afterAll(async () => {
    await system?.stop()
    await receiver?.close()
  })

  async function withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
    const { db, close } = openDatabase({ url: (await findRunningPostgres(system.dataDir))!, log: silentLog, max: 1 })
    return await work(db).finally(close)
  }

  /** Signs and broadcasts what the agents' queue holds for a wallet until its operation is COMPLETED. */
  async function carryOutAsAgent(operationId: number, name: string): Promise<void> {
    const { account } = keyOf(name)
    await until(async () => {
      type Polled = { transaction: { id: number; unsignedTx: string; leaseToken: string } | null }
      const { body } = await system.organization.post<Polled & { data?: Polled }>('/api/agent/transactions/poll', {})
      const { transaction } = body.data ?? body
      if (transaction) {
        const planned = parseTransaction(transaction.unsignedTx as Hex) as Parameters<typeof account.signTransaction>[0]
        const signedTransaction = await account.signTransaction(planned)
        const broadcast = { signedTransaction, leaseToken: transaction.leaseToken }
        await system.organization.post(`/api/agent/transactions/${transaction.id}/broadcast`, broadcast)
      }
      return (await statusOf(operationId)) === 'COMPLETED'
    })
  }
  const statusOf = async (id: number) =>
    (await owner.get<Data<{ status: string }>>(`/api/core/operations/${id}`)).body.data.status

  test('continues with the same chains and accepts the existing credentials', async () => {
    expect(system.process.lines.filter((line) => /is new|not there/.test(line))).toEqual([])
    expect(system.process.errors()).toBe('')
    for (const client of [profile, system.organization, system.admin, system.profile])
      expect((await client.get('/v1/venues')).status).toBe(200)
    const refresh = { refreshToken: fixture.refreshToken }
    expect((await system.as(ANONYMOUS).post('/api/core/auth/refresh', refresh)).status).toBe(200)
  })

  test('a pending plan is replayed, signed and confirmed, and an existing position is fully withdrawn', async () => {
    const strategy = await system.strategy('polygon', 'Aave V3 USDC')
    const client = await createWalletClient(profile, 'polygon', { key: keyOf('saver').key })
    expect(client.walletId).toBe(fixture.walletId)
    expect((await client.read(fixture.supplied)).status).toBe('CONFIRMED')
    const waiting = await client.read(fixture.awaiting)
    expect(waiting.status).toBe('AWAITING_SIGNATURE')
    const { strategyId, tokenAddress } = strategy
    const replayed = await profile.post<Operation>(
      '/v1/operations/supply',
      { walletId: fixture.walletId, strategyId, tokenAddress, amount: '100000000' },
      { idempotencyKey: fixture.idempotencyKey },
    )
    expect(replayed).toMatchObject({ status: 201, body: { operationId: fixture.awaiting } })
    await client.carryOut(waiting)
    await client.carryOut(await client.planUnwind(strategy, 'full'))
    expect(await client.allocations()).toMatchObject({ allocations: [] })
  })

  test('a pending approval is given and its operation carried out', async () => {
    expect(await statusOf(fixture.pendingApproval)).toBe('PENDING_APPROVAL')
    const path = `/api/core/operations/${fixture.pendingApproval}/approve`
    expect((await owner.post(path, {})).status).toBe(200)
    await carryOutAsAgent(fixture.pendingApproval, 'pending')
  })

  test('an existing lease stays valid: its report is accepted and the operation fails accordingly', async () => {
    const { transactionId, leaseToken } = fixture.leased
    const report = { status: 'FAILED', error: 'The key is gone.', leaseToken }
    const path = `/api/agent/transactions/${transactionId}/report`
    expect((await system.organization.post(path, report)).status).toBe(200)
    const failed = await withDatabase((db) =>
      db
        .selectFrom('transactions as t')
        .innerJoin('operations as o', 'o.id', 't.operation_id')
        .select(['o.state', 't.error'])
        .where('t.id', '=', transactionId)
        .executeTakeFirstOrThrow(),
    )
    expect(failed).toEqual({ state: 'FAILED', error: 'The agent reported: The key is gone.' })
  })

  test('events that waited for the receiver are delivered once each', async () => {
    const pending = () =>
      withDatabase((db) =>
        sql`select from webhook_deliveries where status <> 'delivered' and created_at < now() - interval '1 minute'
          or status = 'failed'`.execute(db),
      )
    await until(async () => (await pending()).rows.length === 0)
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(ids.length).toBeGreaterThan(30)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('a pending payment is completed', async () => {
    await until(async () => {
      const { body } = await system.organization.get<{ data: { status: string }[] }>('/v1/ramp/transactions')
      return body.data.length === 2 && body.data.every(({ status }) => /complete/i.test(status))
    })
  })

  test('the quarantined wallet is settled, the break stays open, and the ledger keeps every rule', async () => {
    await withDatabase(async (db) => {
      await until(async () => (await rowsOf(db, 'quarantined_wallets')).length === 0)
      expect(await rowsOf(db, 'ledger_breaks')).toMatchObject([{ amount: '199999999', closed_at: null }])
      for (const { what, finds } of LEDGER_RULES) expect((await sql.raw(finds).execute(db)).rows, what).toEqual([])
    })
  })
})

import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase, until } from '../../../testing/index.ts'
import { ManualClock, silentLog } from '../../kernel/index.ts'
import type { PlannedConfig } from '../connections/connection-plan.ts'
import { openDatabase } from '../connections/open-database.ts'
import { emit } from '../outbox/emit.ts'
import { inTransaction } from '../queries/in-transaction.ts'
import { createDatabaseHealth } from './database-health.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await testDatabase()
})
afterEach(() => database.close())

const clock = new ManualClock()
const healthOf = (freshMs = 0, log = silentLog) => createDatabaseHealth({ db: database.db, log, clock, freshMs })
const history = () => database.db.selectFrom('database_history').selectAll().executeTakeFirstOrThrow()

/** Emits an event for a new organization, and returns its id. */
async function emitOne(): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into organizations (name, created_at) values ('one', now()) returning id
  `.execute(database.db)
  const event = { organizationId: rows[0]!.id, event: 'x', objectType: 'x', objectId: 1, data: {}, at: clock.now() }
  const [id] = await inTransaction(database.db, (tx) => emit(tx, [event]))
  return id!
}

test('a check is a write that the database acknowledged; checks of one moment share it', async () => {
  const before = (await history()).beat
  const health = healthOf(60_000)
  const reports = await Promise.all([health.check(), health.check(), health.check()])
  expect(reports.map(({ isWritable }) => isWritable)).toEqual([true, true, true])
  expect((await history()).beat).toBe(before + 1)
  expect(health.last).toMatchObject({ isWritable: true, isSynchronous: false, syncStandbys: 0, lostAt: undefined })
})

test('a commit that does not come back fails the check in time, and does not take a second connection', async () => {
  const lines: string[] = []
  const health = healthOf(0, pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line).msg) }))
  await health.check()
  await inTransaction(database.db, async (tx) => {
    await sql`select from database_history for update`.execute(tx)
    expect((await health.check()).isWritable).toBe(false)
    expect((await health.check()).isWritable).toBe(false)
    const waiting = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    `.execute(tx)
    expect(waiting.rows).toHaveLength(1)
  })
  await until(async () => (await health.check()).isWritable)
  expect(lines).toEqual(['the database acknowledges no writes', 'the database acknowledges writes again'])
})

test('a standby, or a full disk, fails the check and is logged once with its reason', async () => {
  const lines: { err: { code: string } }[] = []
  const health = healthOf(0, pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) }))
  await sql`create function refuse() returns trigger language plpgsql as $$ begin
    raise exception 'No space left on device' using errcode = '53100'; end $$`.execute(database.db)
  await sql`create trigger refuse before update on database_history for each row execute function refuse()`.execute(
    database.db,
  )
  expect([(await health.check()).isWritable, (await health.check()).isWritable]).toEqual([false, false])
  expect(lines).toMatchObject([{ err: { code: '53100' } }])
})

test('a database that lost acknowledged writes is detected, loudly, and never issues an event id again', async () => {
  const lines: { level: number; msg: string }[] = []
  const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const [health, other] = [healthOf(0, log), healthOf(0, log)]
  for (let beats = 0; beats < 3; beats += 1) await health.check()
  await other.check()
  const before = await emitOne()
  // What a restore leaves: an earlier beat, and sequences that issue the lost ids again.
  await sql`update database_history set beat = 1`.execute(database.db)
  const found = await health.check()
  expect(found).toMatchObject({ isWritable: true, epoch: 1 })
  expect(found.lostAt).toEqual(clock.now())
  expect(lines).toMatchObject([{ level: 50, msg: expect.stringContaining('gone back in time') }])
  const after = await emitOne()
  expect(after).toBeGreaterThan(before + 1_000_000_000)
  expect(Number.isSafeInteger(after)).toBe(true)
  // Every process reports it; the epoch begins once.
  expect(await other.check()).toMatchObject({ epoch: 1, lostAt: clock.now() })
})

test('a new timeline or cluster begins an epoch before the first statement on it', async () => {
  const before = await emitOne()
  const { place, epoch } = await history()
  expect(place).toMatch(/^\d+\/[0-9A-F]{8}$/)
  await sql`update database_history set place = '1/00000001'`.execute(database.db)
  const restored = openDatabase({ url: database.url, log: silentLog, max: 1 })
  await sql`select 1`.execute(restored.db)
  expect(await history()).toMatchObject({ place, epoch: epoch + 1 })
  await restored.close()
  expect(await emitOne()).toBeGreaterThan(before + 1_000_000_000)
  const again = openDatabase({ url: database.url, log: silentLog, max: 1 })
  await sql`select 1`.execute(again.db)
  expect((await history()).epoch).toBe(epoch + 1)
  await again.close()
})

test('a database back on an earlier timeline is detected by the next session, loudly, and begins an epoch', async () => {
  const before = await emitOne()
  const { place } = await history()
  const lines: { level: number; msg: string }[] = []
  const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const later = `${place?.split('/')[0]}/00000009`
  const comeBack = async () => {
    const returned = openDatabase({ url: database.url, log, max: 2 })
    // What an earlier session of this process saw.
    Object.assign((returned.pool.options as unknown as PlannedConfig).plan.seen, { place: later })
    await Promise.all([1, 2].map(() => sql`select 1`.execute(returned.db)))
    await returned.close()
  }
  await comeBack()
  expect(await history()).toMatchObject({ place, epoch: 1, lost_at: expect.any(Date), left_place: later })
  expect(lines).toMatchObject([
    { level: 50, from: later, to: place, msg: expect.stringContaining('gone back in time') },
  ])
  // Streams that read to the end of the later timeline miss nothing of this one.
  expect(await emitOne()).toBeGreaterThan(before + 1_000_000_000)
  // Every process says so; the epoch begins once.
  await comeBack()
  expect(await history()).toMatchObject({ epoch: 1 })
  expect(lines).toHaveLength(2)
  // A rewound standby may be promoted to the same timeline again.
  await sql`update database_history set lost_at = null`.execute(database.db)
  await comeBack()
  expect(await history()).toMatchObject({ epoch: 2, lost_at: expect.any(Date) })
})

test('positions of events continue above all that were issued, so a stream that resumes misses nothing', async () => {
  const read = async () =>
    (await database.db.selectFrom('event_relay').select('last_position').executeTakeFirstOrThrow()).last_position
  const before = await read()
  await sql`select begin_epoch('elsewhere')`.execute(database.db)
  const first = await read()
  expect(first).toBeGreaterThan(before + 1_000_000_000)
  await sql`select begin_epoch('elsewhere again')`.execute(database.db)
  expect(await read()).toBeGreaterThanOrEqual(first)
})

test('after a loss no id of any table is issued again for another object, and none outgrows its column', async () => {
  const { rows: sequences } = await sql<{ name: string; highest: string }>`
    select seqrelid::regclass::text as name, seqmax::text as highest from pg_sequence
      join pg_class on oid = seqrelid and relnamespace = 'public'::regnamespace
  `.execute(database.db)
  expect(sequences.length).toBeGreaterThan(30)
  const next = async (name: string) => {
    const { rows } = await sql<{ id: string }>`select nextval(${name}::regclass)::text as id`.execute(database.db)
    return BigInt(rows[0]!.id)
  }
  // A hundred thousand of each were issued and acknowledged, and the restored database has none of them.
  const lost = 100_000n
  for (let epoch = 0; epoch < 2; epoch += 1) {
    const before = await Promise.all(sequences.map(({ name }) => next(name)))
    await sql`select begin_epoch(${`place ${epoch}`})`.execute(database.db)
    const after = await Promise.all(sequences.map(({ name }) => next(name)))
    const again = sequences.filter((_, at) => after[at]! <= before[at]! + (epoch === 0 ? lost : 0n))
    expect(again.map(({ name }) => name)).toEqual([])
    // Half of what the column and a JSON number can hold is left.
    const large = sequences.filter(({ highest }, at) => {
      const most = BigInt(highest) < BigInt(Number.MAX_SAFE_INTEGER) ? BigInt(highest) : BigInt(Number.MAX_SAFE_INTEGER)
      return after[at]! > most / 2n
    })
    expect(large.map(({ name }) => name)).toEqual([])
  }
  const { rows: narrow } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and column_name ~ '(^|_)id$' and data_type in ('integer', 'smallint') order by name
  `.execute(database.db)
  expect(narrow.map(({ name }) => name)).toEqual(['job_leases.worker_id', 'workers.id'])
})

test('an id above what the clock says never goes back, whichever epoch begins', async () => {
  const far = 8_000_000_000_000_000n
  const names = ['agent_actions', 'operations', 'outbox', 'webhook_deliveries']
  for (const name of names) await sql`select setval(pg_get_serial_sequence(${name}, 'id'), ${far})`.execute(database.db)
  await sql`select begin_epoch('elsewhere')`.execute(database.db)
  for (const name of names) {
    const { rows } = await sql<{ id: number }>`
      select nextval(pg_get_serial_sequence(${name}, 'id')) as id
    `.execute(database.db)
    expect(BigInt(rows[0]!.id), name).toBeGreaterThan(far)
  }
})

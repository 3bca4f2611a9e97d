import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { emptyDatabase, testDatabase } from '../../../testing/index.ts'
import { silentLog } from '../../kernel/index.ts'
import { openDatabase } from '../connections/open-database.ts'
import { migrate } from './migrate.ts'
import { migrationsApplied } from './migrations-applied.ts'

test('five services that migrate an empty database concurrently all succeed, and each migration runs once', async () => {
  const { url, drop } = await emptyDatabase()
  const opened = Array.from({ length: 5 }, () => openDatabase({ url, log: silentLog, max: 2 }))
  try {
    await Promise.all(opened.map(({ db }) => migrate(db, silentLog)))
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(opened[0]!.db)
    expect(rows.map(({ name }) => name)).toEqual([...new Set(rows.map(({ name }) => name))].sort())
    expect(rows.length).toBeGreaterThan(20)
    expect(await migrationsApplied(opened[4]!.db)).toBe(true)
  } finally {
    await Promise.all(opened.map(({ close }) => close()))
    await drop()
  }
})

test('a database without migrations is distinguished from a migrated one', async () => {
  const { url, drop } = await emptyDatabase()
  const { db, close } = openDatabase({ url, log: silentLog, max: 1 })
  expect(await migrationsApplied(db)).toBe(false)
  await close()
  await drop()
})

test('a migration that an earlier build lacked runs although later ones have already run', async () => {
  const { db, close } = await testDatabase()
  await sql`alter table ramp_transactions drop column created_by_type cascade, drop column created_by_id cascade`.execute(
    db,
  )
  await sql`alter table ramp_sandbox_deposits drop column created_by_type cascade, drop column created_by_id cascade`.execute(
    db,
  )
  await sql`delete from kysely_migration where name = '0043-who-simulated'`.execute(db)
  await migrate(db, silentLog)
  await sql`select created_by_id from ramp_transactions`.execute(db)
  await close()
})

test('a database with migrations of a later version is complete, and stays as it is', async () => {
  const { db, close } = await testDatabase()
  await sql`alter table wallets add column later text not null default 'later'`.execute(db)
  await sql`insert into migration_steps (migration, step) values ('9999-later', 0), ('9999-later', 1)`.execute(db)
  expect(await migrationsApplied(db)).toBe(true)
  await migrate(db, silentLog)
  const { rows } = await sql`select step from migration_steps where migration = '9999-later' order by step`.execute(db)
  expect(rows).toEqual([{ step: 0 }, { step: 1 }])
  await sql`select later from wallets`.execute(db)
  await close()
})

test('migrating restores the statement and lock timeouts of its connection', async () => {
  const { db, close } = await testDatabase()
  const limits = () => sql`select current_setting('statement_timeout') s, current_setting('lock_timeout') l`.execute(db)
  const before = await limits()
  await migrate(db, silentLog)
  expect((await limits()).rows).toEqual(before.rows)
  await close()
})

test('a migration whose connection is lost fails with its own error, not with that of restoring the timeouts', async () => {
  const { db, close } = await testDatabase()
  await sql`alter table migration_steps rename to elsewhere`.execute(db)
  await sql`create view migration_steps as select * from elsewhere where pg_terminate_backend(pg_backend_pid())`.execute(
    db,
  )
  await expect(migrate(db, silentLog)).rejects.toMatchObject({ code: '57P01' })
  await close()
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase, until } from '../../../testing/index.ts'
import { silentLog } from '../../kernel/index.ts'
import { openDatabase } from '../connections/open-database.ts'
import { emit } from '../outbox/emit.ts'
import { inTransaction } from '../queries/in-transaction.ts'
import { migrate, STEPPED_MIGRATIONS } from './migrate.ts'
import { migrationsApplied } from './migrations-applied.ts'

/** Their primary key was the id alone. */
const REPLACED_KEYS = ['ramp_bridge_intents', 'treasury_sends']

/** Undoes what the steps created, so that the database is as an earlier version left it. */
async function undoSteps(db: Parameters<typeof migrate>[0]): Promise<void> {
  const indexes = Object.values(STEPPED_MIGRATIONS).flatMap((steps) => steps.filter((step) => step.kind === 'index'))
  for (const { name } of indexes) {
    const table = REPLACED_KEYS.find((one) => name === `${one}_by_organization`)
    const undo = `alter table ${table} drop constraint ${table}_pkey, add constraint ${table}_pkey primary key (id)`
    await sql.raw(table === undefined ? `drop index ${name}` : undo).execute(db)
  }
  await sql`drop table deleted_events, migration_steps`.execute(db)
}

test('processes of an earlier version go on writing while this one migrates', async () => {
  const { db, url, close } = await testDatabase()
  await undoSteps(db)
  expect(await migrationsApplied(db)).toBe(false)
  const { id: organizationId } = await db
    .insertInto('organizations')
    .values({ name: 'Acme', created_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const older = openDatabase({ url, log: silentLog, max: 3 })
  const event = { event: 'transaction.updated', objectType: 'ramp_transaction', objectId: 1, data: {} }
  let isRunning = true
  let writes = 0
  const writer = async () => {
    while (isRunning) {
      await inTransaction(older.db, (tx) => emit(tx, [{ ...event, organizationId, at: new Date() }]))
      writes += 1
    }
  }
  const load = [writer(), writer(), writer()]
  await until(() => writes > 0)
  const before = writes
  await migrate(db, silentLog)
  await until(() => writes > before)
  isRunning = false
  await Promise.all(load)
  expect(await migrationsApplied(older.db)).toBe(true)
  const { rows } = await sql<{ invalid: number }>`
    select count(*)::integer as invalid from pg_index where not indisvalid
  `.execute(db)
  expect(rows).toEqual([{ invalid: 0 }])
  await older.close()
  await close()
})

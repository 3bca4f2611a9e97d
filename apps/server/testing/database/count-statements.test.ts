import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { countStatements, testDatabase } from '../index.ts'

test('the probe counts only the statements of its own work, not concurrent ones', async () => {
  const { db, pool, close } = await testDatabase()
  const one = () => sql`select 1`.execute(db)
  const [mine] = await Promise.all([
    countStatements(async () => {
      await one()
      await pool.query('select 2')
      await db.transaction().execute((tx) => sql`select 3`.execute(tx))
    }),
    one(),
    one(),
  ])
  expect(mine.texts).toEqual(['select 1', 'select 2', 'begin', 'select 3', 'commit'])
  expect(mine).toMatchObject({ statements: 3, roundTrips: 5 })
  await close()
})

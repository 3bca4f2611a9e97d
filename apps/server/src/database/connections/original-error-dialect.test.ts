import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import type { Tx } from '../handles.ts'
import { inTransaction } from '../queries/in-transaction.ts'

const database = useFixture(testDatabase)

const loseConnection = (tx: Tx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)

test('a transaction whose connection is lost throws the error of its work, not that of rolling back', async () => {
  const defect = new Error('defect')
  const failing = inTransaction(database.db, async (tx) => {
    await loseConnection(tx).catch(() => undefined)
    throw defect
  })
  await expect(failing).rejects.toBe(defect)
  await expect(inTransaction(database.db, loseConnection)).rejects.toMatchObject({ code: '57P01' })
})

test('a connection that could not roll back is not used again', async () => {
  await inTransaction(database.db, loseConnection).catch(() => undefined)
  const { rows } = await sql`select 1 as one`.execute(database.db)
  expect(rows).toEqual([{ one: 1 }])
})

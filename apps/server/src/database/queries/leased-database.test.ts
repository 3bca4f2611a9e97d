import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { silentLog } from '../../kernel/index.ts'
import { runItems } from '../upkeep/run-items.ts'
import { inTransaction } from './in-transaction.ts'
import { holdsLease, LeaseLostError, leasedDatabase } from './leased-database.ts'

const database = useFixture(testDatabase)

beforeEach(async () => {
  await sql`create table if not exists written (worker text)`.execute(database.db)
  await sql`truncate written, job_leases`.execute(database.db)
  await database.db
    .insertInto('job_leases')
    .values({ job: 'follow base', worker_id: 1, token: 5, since: new Date() })
    .execute()
})

const handle = (token = 5) => leasedDatabase(database.db, { job: 'follow base', workerId: 1, token })
const write = (db: ReturnType<typeof handle>) =>
  inTransaction(db, (tx) => sql`insert into written (worker) values ('me')`.execute(tx))
const written = async () => (await sql`select from written`.execute(database.db)).rows.length

test('a transaction of the holder commits', async () => {
  await write(handle())
  expect(await written()).toBe(1)
})

test.each([
  ['another process took the job over', { worker_id: 2, token: 6 }],
  ['the same process took it again', { worker_id: 1, token: 6 }],
  ['it was released', { worker_id: null, token: 5 }],
])('a transaction under an older token does nothing: %s', async (_, now) => {
  await database.db.updateTable('job_leases').set(now).execute()
  await expect(write(handle())).rejects.toThrow(LeaseLostError)
  expect(await written()).toBe(0)
})

test('nobody takes the job over between the check and the commit', async () => {
  await inTransaction(handle(), async (tx) => {
    const { rows } = await sql`select from job_leases for update skip locked`.execute(database.db)
    expect(rows).toEqual([])
    await sql`insert into written (worker) values ('me')`.execute(tx)
  })
  expect((await sql`select from job_leases for update skip locked`.execute(database.db)).rows).toHaveLength(1)
})

test('transactions of other handles cost nothing and check nothing', async () => {
  await database.db.deleteFrom('job_leases').execute()
  await write(database.db)
  expect(await written()).toBe(1)
})

test('a condition guards a single statement', async () => {
  const rename = (db: ReturnType<typeof handle>) =>
    sql`insert into written (worker) select 'me' where ${holdsLease(db)}`.execute(db)
  await rename(handle())
  await rename(handle(4))
  await rename(database.db)
  expect(await written()).toBe(2)
})

test('a lost lease ends work on many items: it is no fault of the item', async () => {
  await database.db.updateTable('job_leases').set({ token: 6 }).execute()
  const tried: number[] = []
  const work = async (item: number) => {
    tried.push(item)
    await write(handle())
  }
  const running = runItems({ db: handle(), log: silentLog }, [1, 2], { job: 'sweep', keyOf: String, work })
  await expect(running).rejects.toThrow(LeaseLostError)
  expect(tried).toEqual([1])
})

import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inSpan, ManualClock, useTracer } from '../../kernel/index.ts'
import { createTracer, type SpanRecord } from '../../tracing/index.ts'
import type { Database } from '../handles.ts'
import { inTransaction } from './in-transaction.ts'

const database = useFixture<TestDatabase>(testDatabase)
const spans: SpanRecord[] = []
beforeEach(() => {
  spans.length = 0
  const sampler = { ratio: 1, followsParent: true }
  useTracer(
    createTracer({ clock: new ManualClock(), sampler, callers: 'link', key: 'k', onSpan: (span) => spans.push(span) }),
  )
})
afterEach(() => useTracer(undefined))

/** The spans of one round of periodic work. */
async function round(work: (db: Database) => Promise<unknown>): Promise<string[]> {
  await inSpan(
    () => ({ name: 'job', parent: 'none', isRound: true }),
    () => work(database.db),
  ).catch(() => undefined)
  return spans.splice(0).map(({ name, failure }) => (failure === undefined ? name : `${name}: ${failure}`))
}
const inTx = (text: string) => (db: Database) => inTransaction(db, (tx) => sql.raw(text).execute(tx))
const alone = (text: string) => (db: Database) => sql.raw(text).execute(db)

test('a round of periodic work is traced when it changed rows or failed, and not when it only looked', async () => {
  expect(await round(alone('create table noted (id int)'))).toEqual([])
  expect(await round(alone('select 1'))).toEqual([])
  expect(await round(inTx('select 1'))).toEqual([])
  expect(await round(inTx('update noted set id = 2 where id = 7'))).toEqual([])
  expect(await round(inTx('insert into noted values (1)'))).toEqual(['transaction', 'job'])
  expect(await round(alone('delete from noted'))).toEqual(['job'])
  const hidden = 'with made as (insert into noted values (2) returning id) select id from made'
  expect(await round(alone(hidden))).toEqual(['job'])
  expect(await round(inTx('select 1 / 0'))).toEqual(['transaction: 22012', 'job: 22012'])
})

// Tests `register-idempotency.ts` while the database acknowledges no commit.
import { sql } from 'kysely'
import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../testing/index.ts'
import { until } from '../../../../testing/until.ts'
import { type OpenDatabase, openDatabase, type Transact, transactOn } from '../../../database/index.ts'
import { IDEMPOTENCY_CLAIM_MS, silentLog } from '../../../kernel/index.ts'
import type { App } from '../app.ts'
import { runVerb } from '../pipeline/run-verb.ts'
import { type TestServer, testServer, v1Write } from '../server/test-server.ts'

let database: TestDatabase
/** What the service uses: it waits 300 ms for a lock, instead of ten seconds. */
let served: OpenDatabase
let server: TestServer
let mayCommit: PromiseWithResolvers<void>
let isRunning: boolean

/**
 * To others, a commit that waits for a standby is not visible and keeps its locks. So is one that waits for anything else:
 * here for a lock that the test holds while the standby is away.
 */
beforeAll(async () => {
  database = await testDatabase()
  await sql`
    create table effects (id bigint generated always as identity);
    create function wait_for_standby() returns trigger language plpgsql set lock_timeout = 0 as $$ begin
      perform pg_advisory_xact_lock_shared(42); return null; end $$;
    create constraint trigger waits after insert on effects deferrable initially deferred
      for each row execute function wait_for_standby();
    create constraint trigger waits after insert or update on idempotency_keys deferrable initially deferred
      for each row execute function wait_for_standby();
  `.execute(database.db)
  served = openDatabase({ url: `${database.url}?lock_timeout=300`, log: silentLog, max: 10 })
  server = await testServer(routes, { db: served.db, idempotencyWaitMs: 100 })
})
beforeEach(() => {
  mayCommit = Promise.withResolvers()
  isRunning = false
})
afterAll(async () => {
  await server.app.close()
  await served.close()
  await database.close()
})

const add = (transact: Transact<void> = transactOn(served.db)) =>
  transact(async (tx) => {
    await sql`insert into effects default values`.execute(tx)
    isRunning = true
    await mayCommit.promise
  })

function routes(app: App): void {
  const schema = { response: { 201: Type.Object({}) } }
  // Its response is stored in the transaction of the effect.
  app.post('/v1/supply', { config: { ...v1Write, idempotent: 'plain' }, schema }, (_request, reply) =>
    runVerb(
      reply,
      201,
      () => ({}),
      (transact) => add(transact),
    ),
  )
  // Its response is stored afterwards.
  app.post('/v1/unwind', { config: { ...v1Write, idempotent: 'plain' }, schema }, async (_request, reply) => {
    await add()
    return reply.code(201).send({})
  })
}

/** The standby is away until the returned function ends. */
async function loseStandby(): Promise<() => Promise<void>> {
  const back = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const done = database.db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(42)`.execute(connection)
    held.resolve()
    await back.promise
    await sql`select pg_advisory_unlock(42)`.execute(connection)
  })
  await held.promise
  const end = () => {
    back.resolve()
    return done
  }
  onTestFinished(end)
  return end
}

const countOf = async (query: ReturnType<typeof sql<{ count: number }>>) =>
  (await query.execute(database.db)).rows[0]!.count
const waitingCommits = () =>
  countOf(sql`
    select count(*)::int as count from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and locktype = 'advisory' and not granted`)
const effects = () => countOf(sql`select count(*)::int as count from effects`)

const post = (url: string, key: string) =>
  server.app.inject({
    method: 'POST',
    url,
    headers: { 'x-api-key': 'profile-key', 'idempotency-key': key, 'content-type': 'application/json' },
    payload: '{}',
  })

/** Repeats a request whose claim ended, as a claim does within the time that a repetition waits. */
async function repeat(url: string, key: string) {
  server.clock.advance(IDEMPOTENCY_CLAIM_MS)
  const { statusCode, headers, body } = await post(url, key)
  return [statusCode, JSON.parse(body).code, headers['retry-after'], headers['idempotency-replayed']]
}

test.each([
  ['/v1/supply', 1],
  ['/v1/unwind', 2],
])('%s: while its commit waits for a standby, a repetition is 503, and then a replay', async (url, waiting) => {
  const before = await effects()
  const first = post(url, url)
  await until(() => isRunning)
  const returnStandby = await loseStandby()
  mayCommit.resolve()
  // The renewal of the claim waits too, where the effect did not lock it.
  await until(async () => (await waitingCommits()) === waiting)
  expect(await repeat(url, url)).toEqual([503, 'NOT_READY', '2', undefined])
  expect(await repeat(url, url)).toEqual([503, 'NOT_READY', '2', undefined])
  await returnStandby()
  expect((await first).statusCode).toBe(201)
  expect(await repeat(url, url)).toEqual([201, undefined, undefined, 'true'])
  expect((await effects()) - before).toBe(1)
})

test('while the claim itself waits for a standby, a repetition is 503, and then a replay', async () => {
  const before = await effects()
  mayCommit.resolve()
  const returnStandby = await loseStandby()
  const first = post('/v1/supply', 'k')
  await until(async () => (await waitingCommits()) === 1)
  expect(await repeat('/v1/supply', 'k')).toEqual([503, 'NOT_READY', '2', undefined])
  await returnStandby()
  expect((await first).statusCode).toBe(201)
  expect(await repeat('/v1/supply', 'k')).toEqual([201, undefined, undefined, 'true'])
  expect((await effects()) - before).toBe(1)
})

import { sql } from 'kysely'
import Type from 'typebox'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { countStatements, type TestDatabase, testDatabase, until } from '../../../../testing/index.ts'
import { deleteOldRows, type Transact, transactOn } from '../../../database/index.ts'
import { Failure, IDEMPOTENCY_RETENTION_MS, silentLog } from '../../../kernel/index.ts'
import type { App } from '../app.ts'
import { runVerb } from '../pipeline/run-verb.ts'
import { Amount, type TestServer, testServer, v1Write } from '../server/test-server.ts'
import { idempotencyKeyRetention } from './claims.ts'

let database: TestDatabase
let server: TestServer
let gate: Gate

beforeAll(async () => {
  database = await testDatabase()
  await sql`create table effects (id bigint generated always as identity, amount text)`.execute(database.db)
  // A commit that fails after both the effect and the response were written.
  await sql`
    create function fail_commit() returns trigger language plpgsql as $$ begin raise exception 'no commit'; end $$
  `.execute(database.db)
  await sql`
    create constraint trigger fail_commit after insert on effects deferrable initially deferred
    for each row when (new.amount = '667') execute function fail_commit()
  `.execute(database.db)
})
beforeEach(async () => {
  await sql`truncate effects, idempotency_keys`.execute(database.db)
  gate = new Gate()
  server = await testServer(routes, { db: database.db, idempotencyWaitMs: 300, rateLimitMultiplier: 100 })
})
afterEach(async () => {
  gate.open()
  await server.app.close()
})
afterAll(() => database.close())

/** Holds a verb inside its transaction until the test releases it. */
class Gate {
  waiting = 0
  closed = false
  #go = Promise.withResolvers<void>()
  open(): void {
    this.closed = false
    this.#go.resolve()
  }
  close(): void {
    this.#go = Promise.withResolvers<void>()
    this.closed = true
  }
  async pass(): Promise<void> {
    if (!this.closed) return
    this.waiting++
    await this.#go.promise
  }
}

/** A verb as the rooms write it: it commits through `transact`. */
function take(amount: string, transact: Transact<string> = transactOn(database.db)): Promise<string> {
  return transact(async (tx) => {
    await sql`insert into effects (amount) values (${amount})`.execute(tx)
    await gate.pass()
    if (amount === '666') throw new Error('the disk is full')
    return amount
  })
}

function routes(app: App): void {
  const schema = { body: Type.Object({ amount: Type.String() }), response: { 201: Amount } }
  app.post('/v1/supply', { config: { ...v1Write, idempotent: 'plain' }, schema }, async (request, reply) => {
    const { amount } = request.body
    if (amount === '0') throw new Failure('INVALID_AMOUNT')
    if (amount === '429') throw new Failure('RATE_LIMIT_EXCEEDED')
    const present = (taken: string) => ({ amount: taken, undeclared: 'never sent' })
    return runVerb(reply, 201, present, (transact) => take(amount, transact))
  })
  app.post('/v1/unwind', { config: { ...v1Write, idempotent: 'plain' }, schema }, async (request, reply) => {
    await take(request.body.amount)
    return reply.code(201).send({ amount: request.body.amount })
  })
  const Secret = Type.Object({
    success: Type.Literal(true),
    data: Type.Object({ id: Type.Integer(), apiKey: Type.String() }),
  })
  app.post(
    '/api/core/apikeys/generate',
    {
      config: { access: 'auth', limit: 'auth', idempotent: 'secret', audit: false, secretFields: ['data.apiKey'] },
      schema: { response: { 201: Secret } },
    },
    async (_request, reply) => {
      const answer = { success: true as const, data: { id: 1, apiKey: 'svc_secret' } }
      return runVerb(
        reply,
        201,
        () => answer,
        (transact) => transact(async () => undefined),
      )
    },
  )
}

const post = (key: string, body: unknown, { url = '/v1/supply', apiKey = 'profile-key', to = server } = {}) =>
  to.app.inject({
    method: 'POST',
    url,
    headers: { 'x-api-key': apiKey, 'idempotency-key': key, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  })
const effects = async () =>
  (await sql<{ count: number }>`select count(*)::int as count from effects`.execute(database.db)).rows[0]?.count
const stored = () => database.db.selectFrom('idempotency_keys').selectAll().execute()

test('ten concurrent requests with one key have one effect and one response', async () => {
  // Nine wait for the first one, however slow it is.
  const patient = await testServer(routes, { db: database.db, idempotencyWaitMs: 60_000, rateLimitMultiplier: 100 })
  onTestFinished(() => patient.app.close())
  const responses = await Promise.all(Array.from({ length: 10 }, () => post('k', { amount: '5' }, { to: patient })))
  expect(responses.map((response) => response.statusCode)).toEqual(Array(10).fill(201))
  expect(new Set(responses.map((response) => response.body))).toEqual(new Set(['{"amount":"5"}']))
  expect(responses.filter((response) => response.headers['idempotency-replayed'] === 'true')).toHaveLength(9)
  expect(await effects()).toBe(1)
})

test.each(['/v1/supply', '/v1/unwind'])('%s replays the first response byte for byte', async (url) => {
  const first = await post('k', { amount: '5' }, { url })
  const again = await post('k', { amount: '5' }, { url })
  expect([again.statusCode, again.body, again.headers['content-type']]).toEqual([
    first.statusCode,
    first.body,
    first.headers['content-type'],
  ])
  expect([first.headers['idempotency-replayed'], again.headers['idempotency-replayed']]).toEqual([undefined, 'true'])
  expect(await effects()).toBe(1)
})

test('another body, path or method with the same key is a conflict without effect', async () => {
  await post('k', { amount: '5' })
  for (const other of [await post('k', { amount: '6' }), await post('k', { amount: '5' }, { url: '/v1/unwind' })]) {
    expect([other.statusCode, other.json().code]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  }
  expect(await effects()).toBe(1)
})

test('a wallet profile never gets the response of another profile, nor of a key over all profiles', async () => {
  await post('k', { amount: '5' }, { apiKey: 'other-profile-key' })
  await post('l', { amount: '5' }, { apiKey: 'organization-key' })
  for (const key of ['k', 'l']) {
    const refused = await post(key, { amount: '5' })
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  }
  expect(await effects()).toBe(2)
})

test('the scope of a key is the organization: its API keys share it, other organizations do not', async () => {
  await post('k', { amount: '5' })
  expect((await post('k', { amount: '5' }, { apiKey: 'organization-key' })).headers['idempotency-replayed']).toBe(
    'true',
  )
  expect(
    (await post('k', { amount: '5' }, { apiKey: 'other-organization-key' })).headers['idempotency-replayed'],
  ).toBeUndefined()
  expect(await effects()).toBe(2)
})

test('a repetition that waits too long for a running request is a conflict and does not disturb it', async () => {
  gate.close()
  const first = post('k', { amount: '5' })
  await until(() => gate.waiting === 1)
  expect((await post('k', { amount: '5' })).json().code).toBe('IDEMPOTENCY_CONFLICT')
  gate.open()
  expect((await first).statusCode).toBe(201)
  expect((await post('k', { amount: '5' })).headers['idempotency-replayed']).toBe('true')
  expect(await effects()).toBe(1)
})

test('a frozen request loses its claim; its effect rolls back, and its caller may retry', async () => {
  gate.close()
  const slow = post('k', { amount: '5' })
  await until(() => gate.waiting === 1)
  server.clock.advance(60_000)
  const second = post('k', { amount: '5' })
  await until(() => gate.waiting === 2)
  gate.open()
  const [late, taken] = await Promise.all([slow, second])
  expect([late.statusCode, late.json().code, late.headers['retry-after'], taken.statusCode]).toEqual([
    503,
    'NOT_READY',
    '2',
    201,
  ])
  expect([await effects(), late.json().message]).toEqual([1, expect.stringMatching(/learn its result\.$/)])
  expect((await post('k', { amount: '5' })).headers['idempotency-replayed']).toBe('true')
})

test('an abandoned claim still rejects a different request', async () => {
  gate.close()
  const slow = post('k', { amount: '5' })
  await until(() => gate.waiting === 1)
  server.clock.advance(60_000)
  expect((await post('k', { amount: '6' })).json().code).toBe('IDEMPOTENCY_CONFLICT')
  gate.open()
  expect((await slow).statusCode).toBe(201)
})

test('a server error releases the key and leaves neither row nor effect', async () => {
  for (const amount of ['666', '667']) {
    expect((await post('k', { amount })).statusCode).toBe(500)
    expect(await stored()).toEqual([])
  }
  expect((await post('k', { amount: '5' })).statusCode).toBe(201)
  expect(await effects()).toBe(1)
})

test('a client error is stored, unless it depends on the moment or the credential', async () => {
  const refused = await post('k', { amount: '0' })
  const again = await post('k', { amount: '0' })
  expect([again.statusCode, again.json().code, again.headers['idempotency-replayed']]).toEqual([
    400,
    'INVALID_AMOUNT',
    'true',
  ])
  expect(again.json().requestId).not.toBe(refused.json().requestId)
  await post('later', { amount: '429' })
  expect((await stored()).map((row) => row.key)).toEqual(['k'])
})

test('a response is stored for 24 hours, then the key is free and the sweep deletes the row', async () => {
  const parts = { db: database.db, log: silentLog }
  const sweep = () => deleteOldRows(parts, [idempotencyKeyRetention(server)])
  await post('k', { amount: '5' })
  await post('unused', { amount: '5' })
  server.clock.advance(IDEMPOTENCY_RETENTION_MS - 1)
  expect((await post('k', { amount: '5' })).headers['idempotency-replayed']).toBe('true')
  expect((await sweep()).size).toBe(0)
  server.clock.advance(1)
  expect((await post('k', { amount: '7' })).json()).toEqual({ amount: '7' })
  expect(await effects()).toBe(3)
  expect((await sweep()).get('idempotency_keys')).toBe(1)
  expect((await stored()).map((row) => row.key)).toEqual(['k'])
})

test('a secret is shown once: stored and replayed responses have null in its place', async () => {
  const call = (key: string) =>
    server.app.inject({ method: 'POST', url: '/api/core/apikeys/generate', headers: { 'idempotency-key': key } })
  expect((await call('k')).json().data.apiKey).toBe('svc_secret')
  expect((await call('k')).json()).toEqual({ success: true, data: { id: 1, apiKey: null } })
  expect(JSON.stringify(await stored())).not.toContain('svc_secret')
})

test('without a credential the key is bound to the address, and its row does not help to guess passwords', async () => {
  const call = (remoteAddress: string) =>
    server.app.inject({
      method: 'POST',
      url: '/api/core/apikeys/generate',
      remoteAddress,
      headers: { 'idempotency-key': 'not-in-the-table', 'content-type': 'application/json' },
      payload: '{"password":"correct horse"}',
    })
  expect((await call('192.0.2.1')).headers['idempotency-replayed']).toBeUndefined()
  expect((await call('192.0.2.2')).headers['idempotency-replayed']).toBeUndefined()
  expect((await call('192.0.2.1')).headers['idempotency-replayed']).toBe('true')
  const rows = await stored()
  expect(rows.map((row) => row.organization_id)).toEqual([0, 0])
  expect(JSON.stringify(rows)).not.toContain('not-in-the-table')
})

test('a key that is empty or too long is rejected, one of 255 characters is not', async () => {
  for (const key of ['', 'k'.repeat(256)]) {
    const response = await post(key, { amount: '5' })
    expect([response.statusCode, response.json().details.issues[0].path]).toEqual([400, 'Idempotency-Key'])
  }
  expect((await post('k'.repeat(255), { amount: '5' })).statusCode).toBe(201)
  expect(await effects()).toBe(1)
})

test('many keys under load: every effect happens once, in any order of arrival', async () => {
  const keys = Array.from({ length: 60 }, (_, at) => `key-${at % 12}`)
  const responses = await Promise.all(keys.map((key) => post(key, { amount: key })))
  // On a busy machine a repetition may stop waiting for its first request: a conflict without effect.
  expect(responses.every(({ statusCode }) => statusCode === 201 || statusCode === 409)).toBe(true)
  expect(await effects()).toBe(12)
})

test('a key costs one statement before the verb and one in its transaction; no key costs nothing', async () => {
  const send = (headers: Record<string, string>) =>
    server.app.inject({
      method: 'POST',
      url: '/v1/supply',
      headers: { 'x-api-key': 'profile-key', 'content-type': 'application/json', ...headers },
      payload: '{"amount":"5"}',
    })
  const verbs = async (headers: Record<string, string>) =>
    (await countStatements(async () => await send(headers))).texts.map((text) => text.trim().split(/\s/, 1)[0])
  // The verb inserts its effect, and the audit entry with it.
  expect(await verbs({})).toEqual(['start', 'insert', 'insert', 'commit'])
  expect(await verbs({ 'idempotency-key': 'k' })).toEqual(['insert', 'start', 'insert', 'update', 'insert', 'commit'])
})

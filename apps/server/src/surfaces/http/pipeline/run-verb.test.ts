import { sql } from 'kysely'
import Type from 'typebox'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { countStatements, type TestDatabase, testDatabase } from '../../../../testing/index.ts'
import type { Transact } from '../../../database/index.ts'
import type { App } from '../app.ts'
import { Amount, type TestServer, testServer } from '../server/test-server.ts'
import { runVerb } from './run-verb.ts'

let database: TestDatabase
let server: TestServer
let presented: number
let auditedBefore: number

beforeAll(async () => {
  database = await testDatabase()
  await sql`create table effects (amount text)`.execute(database.db)
  await sql`insert into organizations (id, name, created_at) overriding system value values (7, 'Seven', now())`.execute(
    database.db,
  )
})
beforeEach(async () => {
  await sql`truncate effects, idempotency_keys`.execute(database.db)
  presented = 0
  auditedBefore = await count('audit_log')
  server = await testServer(routes, { db: database.db })
})
afterEach(() => server.app.close())
afterAll(() => database?.close())

/** Writes nothing for the amount 0, like verbs that find nothing to change. */
async function take(amount: string, transact: Transact<string>): Promise<string> {
  if (amount === '0') return amount
  return transact(async (tx) => {
    await sql`insert into effects (amount) values (${amount})`.execute(tx)
    return amount
  })
}

function routes(app: App): void {
  const present = (amount: string) => {
    presented += 1
    if (amount === 'unpresentable') throw new Error('no such body')
    return { amount }
  }
  const config = { access: { surface: 'core', roles: ['owner'] }, limit: 'core', idempotent: 'plain' } as const
  const schema = { body: Type.Object({ amount: Type.String() }), response: { 201: Amount } }
  app.post('/api/core/takings', { config, schema }, async (request, reply) =>
    runVerb(reply, 201, present, (transact) => take(request.body.amount, transact)),
  )
}

const post = (amount: string) =>
  server.app.inject({
    method: 'POST',
    url: '/api/core/takings',
    headers: { authorization: 'Bearer owner', 'idempotency-key': amount },
    payload: { amount },
  })
const count = async (table: 'effects' | 'audit_log' | 'idempotency_keys') =>
  (await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(database.db)).rows[0]!
    .count
const audited = async () => (await count('audit_log')) - auditedBefore

test('the effect, the recorded response and the audit entry commit in one transaction, in this order', async () => {
  const { texts } = await countStatements(async () => {
    expect((await post('5')).statusCode).toBe(201)
  })
  const inside = texts.slice(texts.findIndex((text) => text.startsWith('start'))).map((text) => text.trim())
  const at = (pattern: RegExp) => inside.findIndex((text) => pattern.test(text))
  const order = [/^insert into effects/, /^update idempotency_keys/, /audit_log/, /^commit/].map(at)
  expect(order).toEqual([...order].sort((a, b) => a - b))
  expect(order).not.toContain(-1)
  expect(inside.filter((text) => /^(start|commit)/.test(text))).toHaveLength(2)
})

test('the result is presented once, and the sent body is the recorded one', async () => {
  const first = await post('5')
  expect(presented).toBe(1)
  const again = await post('5')
  expect([again.headers['idempotency-replayed'], again.body]).toEqual(['true', first.body])
  expect(presented).toBe(1)
})

test('a result that cannot be presented has no effect, no stored response and no audit entry', async () => {
  expect((await post('unpresentable')).statusCode).toBe(500)
  expect([await count('effects'), await audited(), await count('idempotency_keys')]).toEqual([0, 0, 0])
})

test('a verb that commits nothing is presented once, replayed and audited too', async () => {
  expect((await post('0')).statusCode).toBe(201)
  expect((await post('0')).headers['idempotency-replayed']).toBe('true')
  expect([presented, await count('effects'), await audited()]).toEqual([1, 0, 1])
})

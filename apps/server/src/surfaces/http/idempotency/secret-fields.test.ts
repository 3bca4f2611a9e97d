import { createHash } from 'node:crypto'
import Type from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../testing/index.ts'
import { keyRing } from '../../../kernel/index.ts'
import type { App } from '../app.ts'
import { Amount, type TestServer, testServer, v1Write } from '../server/test-server.ts'

const BODY = JSON.stringify({ amount: '000123456789' })

let database: TestDatabase
let ours: TestServer
let another: TestServer

function routes(app: App): void {
  const schema = { body: Type.Object({ amount: Type.String() }), response: { 201: Amount } }
  app.post('/v1/supply', { config: { ...v1Write, idempotent: 'plain' }, schema }, async (request, reply) =>
    reply.code(201).send({ amount: request.body.amount }),
  )
}

beforeAll(async () => {
  database = await testDatabase()
  ours = await testServer(routes, { db: database.db })
  another = await testServer(routes, { db: database.db, bodySecret: 'of another service' })
})
afterAll(async () => {
  await ours?.app.close()
  await another?.app.close()
  await database?.close()
})

const post = ({ app }: TestServer) =>
  app.inject({
    method: 'POST',
    url: '/v1/supply',
    headers: { 'x-api-key': 'profile-key', 'idempotency-key': 'k', 'content-type': 'application/json' },
    payload: BODY,
  })

test('the stored row does not help to guess the body without the service’s secret', async () => {
  expect((await post(ours)).statusCode).toBe(201)
  const row = await database.db.selectFrom('idempotency_keys').select('body_hash').executeTakeFirstOrThrow()
  expect(row.body_hash).not.toEqual(createHash('sha256').update(BODY).digest())
  expect((await post(another)).json().code).toBe('IDEMPOTENCY_CONFLICT')
  expect((await post(ours)).headers['idempotency-replayed']).toBe('true')
})

test('a request is repeated across a change of the secret while the ring has the old one', async () => {
  const rotated = await testServer(routes, {
    db: database.db,
    bodySecret: keyRing([
      ['2026b', 'the next secret'],
      ['0', 'of a test'],
    ]),
  })
  try {
    expect((await post(rotated)).headers['idempotency-replayed']).toBe('true')
  } finally {
    await rotated.app.close()
  }
})

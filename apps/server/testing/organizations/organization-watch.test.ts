import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { inTransaction, preparedQuery } from '../../src/database/index.ts'
import type { App } from '../../src/surfaces/http/index.ts'
import { testServer, v1Write } from '../../src/surfaces/http/server/test-server.ts'
import { testDatabase } from '../index.ts'
import { useFixture } from '../use-fixture.ts'
import { createOrganizationWatch, type OrganizationWatch } from './organization-watch.ts'
import { outsideRequests } from './request-in-context.ts'

const REQUESTER = { organizationId: 7, route: 'GET /v1/things' }
const watch = (requester = () => REQUESTER) => createOrganizationWatch(inject('joinCatalog'), requester)
const byId = 'select from wallets where organization_id = $1'

test('a statement for another organization is reported each time that it is sent, with its route', async () => {
  const own = watch()
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    own.note(byId, [8])
    await expect(own.expectBound()).rejects.toThrow(
      `organization 7, GET /v1/things, is not limited to it: wallets; no value is its own\n${byId}`,
    )
    await own.expectBound()
  }
})

test('each set of values is judged by itself', async () => {
  const own = watch()
  for (const value of [7, 7n, '7', null, undefined]) own.note(byId, [value])
  await own.expectBound()
  own.note('select from wallets where organization_id = $2', [7, 8])
  await expect(own.expectBound()).rejects.toThrow('wallets')
  own.note('select from wallets where organization_id = $2', [8, 7])
  await own.expectBound()
})

test('a list binds when it has no other value, and so do the rows of a JSON text', async () => {
  const own = watch()
  const list = 'select from wallets where organization_id = any($1)'
  const rows =
    'insert into wallets (organization_id) select organization_id from jsonb_to_recordset($1) as x(organization_id bigint)'
  own.note(list, [[7, 7n, '7']])
  own.note(rows, ['[{"organization_id":7},{"organization_id":"7"}]'])
  await own.expectBound()
  own.note(list, [[7, 8]])
  await expect(own.expectBound()).rejects.toThrow('wallets')
  own.note(rows, ['[{"organization_id":7},{"organization_id":8}]'])
  await expect(own.expectBound()).rejects.toThrow('wallets')
})

test('what no request sends is free, and what names no table of an organization is not parsed', async () => {
  const own = createOrganizationWatch(inject('joinCatalog'), () => undefined)
  own.note('select from wallets', [])
  await own.expectBound()
  const other = watch()
  other.note('no SQL', [])
  await other.expectBound()
})

describe('the watch of all tests follows a request', () => {
  const database = useFixture(testDatabase)
  const shared = globalThis as { organizationWatch?: OrganizationWatch }
  const prepared = preparedQuery('any wallet of the watch', (db, place: (name: 'id') => never) =>
    db.selectFrom('wallets').select('id').where('id', '=', place('id')),
  )
  const ways: Record<string, () => Promise<unknown>> = {
    'the query builder': () => database.db.selectFrom('wallets').select('id').execute(),
    'a transaction': () => inTransaction(database.db, (tx) => sql`select from wallets`.execute(tx)),
    'a prepared statement': () => prepared(database.db, { id: 1 }),
    'the pool': () => database.pool.query('select from wallets'),
    'after other work': async () => {
      await Promise.all([1, 2, 3].map(() => database.pool.query('select pg_sleep(0.01)')))
      await database.pool.query('select from wallets')
    },
  }
  let app: App
  let url: string

  beforeAll(async () => {
    ;({ app } = await testServer((made) => {
      made.post(
        '/v1/work',
        { config: v1Write, schema: { body: Type.Object({ way: Type.String() }), response: { 200: Type.Object({}) } } },
        async (request) => {
          await ways[request.body.way]!()
          return {}
        },
      )
    }))
    await app.listen({ port: 0, host: '127.0.0.1' })
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1/work`
  })
  afterAll(() => app.close())

  const send = async (way: string) => {
    const headers = { 'x-api-key': 'organization-key', 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ way }) })
    expect(answer.status).toBe(200)
  }

  test.each(Object.keys(ways))('through %s, and leaves the same alone outside of one', async (way) => {
    await ways[way]!()
    await shared.organizationWatch!.expectBound()
    await send(way)
    await expect(shared.organizationWatch!.expectBound()).rejects.toThrow('organization 7, POST /v1/work')
  })

  test('but not into the work of others that it starts', async () => {
    ways.others = () => outsideRequests(() => database.pool.query('select from wallets'))
    await send('others')
    await shared.organizationWatch!.expectBound()
  })
})

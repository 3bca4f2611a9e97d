import { Ajv2020 } from 'ajv/dist/2020.js'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVERYONE } from '../access/access.ts'
import type { App } from '../app.ts'
import { envelope } from '../schemas/envelope.ts'
import { Amount, testServer, v1Write } from '../server/test-server.ts'
import { undocumentedParts } from './undocumented-parts.ts'

type Operation = {
  security: unknown
  parameters: { name: string; required: boolean }[]
  responses: Record<string, unknown>
  requestBody?: { required: boolean }
}
interface Document {
  openapi: string
  info: { version: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object>; headers: object; securitySchemes: object }
}

let app: App
let document: Document

beforeAll(async () => {
  ;({ app } = await testServer(routes))
  document = (await app.inject('/openapi.json')).json()
})
afterAll(() => app.close())

function routes(app: App): void {
  const common = { tags: ['Tests'], summary: 'A summary', description: 'A description.' }
  const Supply = Type.Object(
    { amount: Amount, again: Type.Optional(Amount), many: Type.Array(Amount, { description: 'More.' }) },
    { $id: 'TestSupply', description: 'What to supply.' },
  )
  app.post(
    '/v1/wallets/:id/supply',
    {
      config: { ...v1Write, idempotent: 'plain' },
      schema: {
        ...common,
        operationId: 'supply',
        params: Type.Object({ id: Type.Integer({ description: 'The wallet.' }) }),
        querystring: Type.Object({ limit: Type.Integer({ default: 50, description: 'How many.' }) }),
        body: Supply,
        response: { 201: Supply },
      },
    },
    async (request, reply) => reply.code(201).send(request.body),
  )
  app.get(
    '/api/core/supply',
    {
      config: { access: { surface: 'core', roles: EVERYONE, key: 'read' }, limit: 'core' },
      schema: { ...common, operationId: 'readSupply', response: { 200: envelope(Supply, 'The supply.') } },
    },
    async () => ({ success: true as const, data: { amount: { amount: '1' }, many: [] } }),
  )
  app.get(
    '/api/core/supplies',
    {
      config: { access: { surface: 'core', roles: EVERYONE, key: 'read' }, limit: 'core' },
      schema: {
        ...common,
        operationId: 'listSupplies',
        querystring: Type.Object({ limit: Type.Integer({ default: 50, description: 'How many.' }) }),
        response: { 200: envelope(Type.Array(Supply, { description: 'Newest first.' }), 'The supplies.') },
      },
    },
    async () => ({ success: true as const, data: [] }),
  )
}

test('the document is complete: everything has a description', () => {
  expect(undocumentedParts(document)).toEqual([])
})

test('a gap is found', () => {
  const gaps = undocumentedParts({
    paths: { '/a/{id}': { get: { responses: { 200: { content: { j: { schema: { properties: { x: {} } } } } } } } } },
  })
  expect(gaps).toContain('GET /a/{id} has no summary')
  expect(gaps).toContain('GET /a/{id} does not declare id')
  expect(gaps).toContain('GET /a/{id} 200.x has no description')
})

test('it is OpenAPI 3.1 of this service at its public address', () => {
  expect([document.openapi, document.info.version, document.servers[0]?.url]).toEqual([
    '3.1.0',
    '1.2.3',
    'http://127.0.0.1:3000',
  ])
})

test('every schema in it is valid JSON Schema 2020-12, and every reference resolves', () => {
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true, email: true, uri: true } })
  ajv.addSchema({ $id: 'https://weir.example/openapi', components: document.components })
  for (const name of Object.keys(document.components.schemas))
    expect(ajv.compile({ $ref: `https://weir.example/openapi#/components/schemas/${name}` })).toBeTypeOf('function')
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)]
  expect(references.length).toBeGreaterThan(20)
  for (const [, kind, name] of references) expect(document.components).toHaveProperty([kind!, name!])
  expect(JSON.stringify(document)).not.toMatch(/x-weir|"\$id"|Default Response|def-\d/)
})

test('named schemas are components under their own names, also when used twice in one route', () => {
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining(['TestSupply', 'TestAmount', 'CoreError', 'V1Error', 'Health']),
  )
})

test('two different schemas of one name are refused when the document is made', async () => {
  const twice = (app: App) => {
    for (const name of ['a', 'b']) {
      const answer = Type.Object({ [name]: Type.String() }, { $id: 'Twice' })
      app.get(
        `/${name}`,
        { config: { access: 'open', limit: 'anonymous' }, schema: { response: { 200: answer } } },
        async () => ({ [name]: name }),
      )
    }
  }
  const { app } = await testServer(twice)
  expect(() => app.swagger()).toThrow('two different schemas are named Twice')
  await app.close()
})

describe('properties of a route that follow from its config are added', () => {
  test('credentials', () => {
    expect(document.paths['/v1/wallets/{id}/supply']?.post?.security).toEqual([{ apiKey: [] }])
    expect(document.paths['/api/core/supply']?.get?.security).toEqual([{ bearer: [] }, { cookie: [] }, { apiKey: [] }])
    expect(document.paths['/health']?.get?.security).toEqual([])
  })

  test('the permission that a key needs', () => {
    const { post } = document.paths['/v1/wallets/{id}/supply'] ?? {}
    expect(post).toMatchObject({ 'x-permission': 'plan' })
    expect(JSON.stringify(post?.responses['403'])).toContain('permission `plan`')
    expect(document.paths['/health']?.get).not.toHaveProperty('x-permission')
  })

  test('the secrets that a replay has as null', async () => {
    const secret = { idempotent: 'secret', secretFields: ['apiKey'] } as const
    const response = { 201: Type.Object({ apiKey: Type.String() }, { $id: 'TestKey' }) }
    const { app: other } = await testServer((server) => {
      const answer = async () => ({ apiKey: 'svc_1' })
      server.post('/v1/keys', { config: { ...v1Write, ...secret }, schema: { response } }, answer)
      const reread = answer
      server.post('/v1/reread', { config: { ...v1Write, ...secret, reread }, schema: { response } }, answer)
    })
    const { paths } = (await other.inject('/openapi.json')).json() as Document
    expect(paths['/v1/keys']?.post).toMatchObject({ 'x-secret-fields': ['apiKey'] })
    expect(paths['/v1/reread']?.post).not.toHaveProperty('x-secret-fields')
    await other.close()
  })

  test('errors in the shape of the surface', () => {
    const v1 = document.paths['/v1/wallets/{id}/supply']?.post?.responses ?? {}
    expect(Object.keys(v1)).toEqual(['201', '400', '401', '403', '404', '409', '413', '415', '429', '500', '503'])
    expect(JSON.stringify(v1['409'])).toContain('V1Error')
    expect(JSON.stringify(document.paths['/api/core/supply']?.get?.responses['401'])).toContain('CoreError')
  })

  test('the idempotency key; parameters with a default are optional', () => {
    const parameters = document.paths['/v1/wallets/{id}/supply']?.post?.parameters ?? []
    expect(parameters.map(({ name, required }) => [name, required])).toEqual([
      ['limit', false],
      ['id', true],
      ['Idempotency-Key', false],
    ])
  })
})

test('a list says that it also streams as a whole, and nothing else does', () => {
  const streaming = Object.entries(document.paths).filter(([, operations]) =>
    JSON.stringify(operations).includes('"x-whole-list"'),
  )
  expect(streaming.map(([path]) => path)).toEqual(['/api/core/supplies'])
})

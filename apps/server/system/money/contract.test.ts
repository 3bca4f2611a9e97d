import { expect, test } from 'vitest'
import { createContract, type RawResponse } from './contract.ts'

const error = {
  type: 'object',
  required: ['code', 'requestId'],
  properties: { code: { type: 'string' }, statusCode: { type: 'integer' }, requestId: { type: 'string' } },
}
const header = { schema: { type: 'string' } }
const contract = createContract({
  paths: {
    '/v1/things/{id}': {
      get: {
        responses: {
          200: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
            headers: { 'x-request-id': header },
          },
          404: { content: { 'application/json': { schema: { $ref: '#/components/schemas/V1Error' } } } },
        },
      },
    },
  },
  components: {
    schemas: {
      Thing: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
      V1Error: error,
      CoreError: error,
    },
  },
} as Parameters<typeof createContract>[0])

const answer = (change: Partial<RawResponse> = {}, headers: Record<string, string> = {}): RawResponse => ({
  method: 'GET',
  path: '/v1/things/7?deep=1',
  status: 200,
  headers: new Headers({ 'content-type': 'application/json', 'x-request-id': 'r', ...headers }),
  text: '{"id":7}',
  ...change,
})

test('a response as declared breaks no rule', () => {
  expect(contract.breaches(answer())).toEqual([])
})

test.each<[string, RawResponse]>([
  ['a status that is not declared', answer({ status: 201 })],
  ['a field that is not declared', answer({ text: '{"id":7,"more":1}' })],
  ['a field that is missing', answer({ text: '{}' })],
  ['a type that is not declared', answer({ text: '{"id":"7"}' })],
  ['a body that is no JSON', answer({ text: 'seven' })],
  ['a content type that is not declared', answer({}, { 'content-type': 'text/html' })],
  ['a header that is missing', answer({ headers: new Headers({ 'content-type': 'application/json' }) })],
  ['an error with another request id', answer({ status: 404, text: '{"code":"X","requestId":"other"}' })],
  ['an error with another status', answer({ status: 404, text: '{"code":"X","requestId":"r","statusCode":400}' })],
  ['a stack trace', answer({ status: 404, text: '{"code":"x at f (a.js:1:2)","requestId":"r"}' })],
  ['an unknown path that is answered', answer({ path: '/v1/others' })],
  ['a wrong method that is answered', answer({ method: 'DELETE' })],
])('%s is a breach', (_what, raw) => {
  expect(contract.breaches(raw)).not.toEqual([])
})

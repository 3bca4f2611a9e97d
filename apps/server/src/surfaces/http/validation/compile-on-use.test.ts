import { expect, test } from 'vitest'
import { serializersOnUse } from './compile-on-use.ts'

const of = (schema: object) => serializersOnUse()({ schema, method: 'GET', url: '/', httpStatus: '200' })

test('a broken schema costs a start nothing, and its first response fails', () => {
  const serialize = of({ type: 'object', properties: { amount: { $ref: '#/nowhere' } } })
  expect(() => serialize({ amount: '1' })).toThrow('#/nowhere')
})

test('one named schema may describe several parts of a response', () => {
  const amount = { $id: 'Amount', type: 'object', properties: { amount: { type: 'string' } } }
  const serialize = of({ type: 'object', properties: { gross: amount, net: amount } })
  const serialized = serialize({ gross: { amount: '2', secret: 'x' }, net: { amount: '1' } })
  expect(serialized).toBe('{"gross":{"amount":"2"},"net":{"amount":"1"}}')
})

test('routes with the same schema share its serializer', () => {
  const compile = serializersOnUse()
  const schema = { type: 'object' }
  const route = (url: string) => compile({ schema, method: 'GET', url, httpStatus: '200' })
  expect(route('/v1/a')).toBe(route('/v1/b'))
})

import Type from 'typebox'
import { expect, test } from 'vitest'
import { declaredFields } from './declared-fields.ts'

const kept = (schema: object | undefined, value: unknown): unknown => declaredFields(value, schema)

test('undeclared fields are dropped, names of methods included; fields within fields stay', () => {
  const schema = Type.Object({ name: Type.String(), address: Type.Optional(Type.Object({ city: Type.String() })) })
  const address = { city: 'y', other: 3 }
  expect(kept(schema, { name: 'x', organizationId: 2, constructor: 1, toString: 2, address })).toEqual({
    name: 'x',
    address,
  })
  expect(kept(schema, { address: null })).toEqual({ address: null })
})

test('an object of the caller stays as it is', () => {
  const sent = { a: { b: 1 }, c: 2 }
  expect(kept(Type.Record(Type.String(), Type.Unknown()), sent)).toEqual(sent)
  expect(kept(Type.Object({}, { additionalProperties: true }), sent)).toEqual(sent)
  expect(kept({ type: 'object' }, sent)).toEqual(sent)
  expect(kept(undefined, sent)).toEqual(sent)
  expect(kept(Type.Array(Type.Object({ a: Type.Integer() })), [sent])).toEqual([sent])
})

test('the fields of each alternative are declared', () => {
  const either = Type.Union([Type.Object({ wallet: Type.Integer() }), Type.Object({ address: Type.String() })])
  expect(kept(either, { wallet: 1, address: 'x', scope: 2 })).toEqual({ wallet: 1, address: 'x' })
  const both = Type.Intersect([Type.Object({ a: Type.Integer() }), Type.Object({ b: Type.Integer() })])
  expect(kept(both, { a: 1, b: 2, c: 3 })).toEqual({ a: 1, b: 2 })
  const narrowed = { ...Type.Object({ a: Type.Integer(), b: Type.Integer() }), anyOf: [{ required: ['a'] }] }
  expect(kept(narrowed, { a: 1, c: 3 })).toEqual({ a: 1 })
})

import Type from 'typebox'
import { expect, test } from 'vitest'
import { keepDeclared } from './declared-fields.ts'

function kept(schema: object, value: unknown): unknown {
  const copy = structuredClone(value)
  keepDeclared(copy, schema)
  return copy
}

test('undeclared fields are dropped at every depth, also within lists', () => {
  const schema = Type.Object({
    name: Type.String(),
    address: Type.Optional(Type.Object({ city: Type.String() })),
    caps: Type.Optional(Type.Array(Type.Object({ kind: Type.String() }))),
  })
  const sent = { name: 'x', organizationId: 2, address: { city: 'y', id: 3 }, caps: [{ kind: 'z', of: 1 }] }
  expect(kept(schema, sent)).toEqual({ name: 'x', address: { city: 'y' }, caps: [{ kind: 'z' }] })
  expect(kept(schema, { address: null })).toEqual({ address: null })
})

test('objects of the caller stay as they are', () => {
  const open = Type.Object({
    metadata: Type.Record(Type.String(), Type.Unknown()),
    extensions: Type.Object({}, { additionalProperties: true }),
    anything: Type.Unknown(),
    object: { type: 'object' },
  })
  const sent = { metadata: { a: { b: 1 } }, extensions: { c: 1 }, anything: { d: [{ e: 1 }] }, object: { f: 1 } }
  expect(kept(open, { ...sent, other: 1 })).toEqual(sent)
})

test('of alternatives, the fields of each are declared', () => {
  const either = Type.Object({
    to: Type.Union([Type.Object({ wallet: Type.Integer() }), Type.Object({ address: Type.String() }), Type.Null()]),
  })
  expect(kept(either, { to: { wallet: 1, address: 'x', scope: 2 } })).toEqual({ to: { wallet: 1, address: 'x' } })
  const both = Type.Intersect([Type.Object({ a: Type.Integer() }), Type.Object({ b: Type.Integer() })])
  expect(kept(both, { a: 1, b: 2, c: 3 })).toEqual({ a: 1, b: 2 })
  const narrowed = { ...Type.Object({ a: Type.Integer(), b: Type.Integer() }), anyOf: [{ required: ['a'] }] }
  expect(kept(narrowed, { a: 1, c: 3 })).toEqual({ a: 1 })
})

test('a field named like a method of every object is dropped like any other', () => {
  expect(kept(Type.Object({ a: Type.Integer() }), { a: 1, constructor: 2, toString: 3 })).toEqual({ a: 1 })
})

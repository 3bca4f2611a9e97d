import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import Type, { type TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { validationIssues } from './validation-issues.ts'

const ajv = new Ajv({ allErrors: true, verbose: true, strict: false })
addFormats.default(ajv)

function issues(schema: TSchema, value: unknown): string[] {
  const check = ajv.compile(schema)
  check(value)
  return validationIssues(check.errors ?? []).map(({ path, message }) => `${path} ${message}`)
}

const choice = Type.Union([Type.Literal('supply'), Type.Literal('unwind')])
const nullable = Type.Union([Type.String({ format: 'email' }), Type.Null()])

test.each([
  ['a choice', Type.Object({ type: choice }), { type: 'x' }, ['type must be one of: supply, unwind']],
  ['an enum', Type.Object({ role: Type.Enum(['a', 'b']) }), { role: 1 }, ['role must be one of: a, b']],
  ['a constant', Type.Object({ ok: Type.Literal(true) }), { ok: false }, ['ok must be true']],
  ['a nullable of another type', Type.Object({ mail: nullable }), { mail: 5 }, ['mail must be a string or null']],
  ['a nullable with a fault', Type.Object({ mail: nullable }), { mail: 'x' }, ['mail must be a valid email']],
  [
    'a nullable choice',
    Type.Object({ type: Type.Union([Type.Literal('a'), Type.Literal('b'), Type.Null()]) }),
    { type: 'c' },
    ['type must be one of: a, b, null'],
  ],
  [
    'a union of types',
    Type.Object({ id: Type.Union([Type.String(), Type.Integer(), Type.Boolean()]) }),
    { id: [] },
    ['id must be one of: string, integer, boolean'],
  ],
  [
    'a place in a list',
    Type.Object({ events: Type.Array(Type.Object({ name: Type.String() })) }),
    { events: [{ name: 'a' }, {}] },
    ['events[1].name is required'],
  ],
  [
    'lengths and bounds',
    Type.Object({
      a: Type.String({ minLength: 1 }),
      b: Type.String({ maxLength: 2 }),
      c: Type.Integer({ minimum: 1 }),
    }),
    { a: '', b: 'xxx', c: 0 },
    ['a must not be empty', 'b must have at most 2 characters', 'c must be at least 1'],
  ],
  [
    'lists and forms',
    Type.Object({
      a: Type.Array(Type.String(), { minItems: 1 }),
      b: Type.Array(Type.String(), { maxItems: 1 }),
      c: Type.String({ pattern: '^[0-9]{9}$' }),
    }),
    { a: [], b: ['x', 'y'], c: '12' },
    ['a must not be empty', 'b must have at most 1 entries', 'c must have the form ^[0-9]{9}$'],
  ],
])('%s is reported in one sentence', (_name, schema, value, expected) => {
  expect(issues(schema, value)).toEqual(expected)
})

test('a thousand issues are reported as fifty', () => {
  expect(issues(Type.Object({ list: Type.Array(Type.String()) }), { list: Array(1_000).fill(1) })).toHaveLength(50)
})

/** What the collection reads of a JSON schema. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly default?: unknown
  readonly example?: unknown
  readonly examples?: readonly unknown[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly minItems?: number
  readonly minimum?: number
  readonly minLength?: number
  readonly format?: string
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  email: 'ada@example.com',
  uri: 'https://example.com/hook',
}

/** A value that shows the shape: the schema's own example if it has one, else its required fields. */
export function exampleOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): unknown {
  if (schema.$ref !== undefined) return exampleOf(schemas[schema.$ref.split('/').at(-1)!] ?? {}, schemas)
  const given = [schema.example, schema.examples?.[0], schema.const, schema.default, schema.enum?.[0]]
  const first = given.find((value) => value !== undefined)
  if (first !== undefined) return first
  const choice = schema.oneOf?.[0] ?? schema.anyOf?.[0]
  if (choice) return exampleOf(choice, schemas)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((each) => exampleOf(each, schemas)))
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object' || schema.properties) {
    const required = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name))
    return Object.fromEntries(required.map(([name, each]) => [name, namedExample(name, exampleOf(each, schemas))]))
  }
  if (type === 'array') return (schema.minItems ?? 0) > 0 && schema.items ? [exampleOf(schema.items, schemas)] : []
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'boolean') return false
  return BY_FORMAT[schema.format ?? ''] ?? TEXT
}

const TEXT = 'text'

/** An address where the schema says no more than that it is a text. */
const namedExample = (name: string, value: unknown): unknown =>
  value === TEXT && /address$/i.test(name) ? `0x${'11'.repeat(20)}` : value

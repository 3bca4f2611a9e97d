import fc from 'fast-check'
import { hostileJson } from './hostile-values.ts'

/** The parts of JSON Schema that the document uses. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

export interface SchemaSource {
  resolve(ref: string): Schema
  /** Meaningful values by the name of the field or parameter. */
  readonly examples: Readonly<Record<string, readonly unknown[]>>
}

/** Values that a schema allows, often at its boundaries and slightly beyond. */
export function schemaArbitrary(source: SchemaSource, schema: Schema, name = ''): fc.Arbitrary<unknown> {
  // Poll durations are tested only at their edges: waiting half a minute tests nothing else meanwhile.
  if (name === 'waitMs') return fc.oneof(fc.integer({ min: -5, max: 20 }), fc.constantFrom(30_001, 2 ** 53))
  const plain = shapeOf(source, schema, name)
  const meant = Object.hasOwn(source.examples, name) ? source.examples[name]! : []
  if (meant.length === 0) return plain
  return fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...meant) }, { weight: 1, arbitrary: plain })
}

function shapeOf(source: SchemaSource, schema: Schema, name: string): fc.Arbitrary<unknown> {
  if (schema.$ref) return schemaArbitrary(source, source.resolve(schema.$ref), name)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const branches = schema.anyOf ?? schema.oneOf
  if (branches) return fc.oneof(...branches.map((branch) => schemaArbitrary(source, branch, name)))
  const types = [schema.type ?? 'any'].flat()
  return fc.oneof(...types.map((type) => valueOfType(source, schema, type)))
}

function valueOfType(source: SchemaSource, schema: Schema, type: string): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return integers(schema)
    case 'number':
      return fc.oneof(integers(schema), fc.double({ noNaN: true, noDefaultInfinity: true }))
    case 'string':
      return texts(schema)
    case 'array':
      return fc.array(schemaArbitrary(source, schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, 5),
      })
    case 'object':
      return objects(source, schema)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function integers({ minimum = -1_000, maximum = 2 ** 53 }: Schema): fc.Arbitrary<number> {
  const edges = [minimum, minimum + 1, maximum, maximum - 1, minimum - 1, maximum + 1].filter(Number.isSafeInteger)
  const least = Math.ceil(Math.max(minimum, -5))
  const small = fc.integer({ min: least, max: Math.max(least, Math.min(maximum, least + 200)) })
  return fc.oneof({ weight: 4, arbitrary: small }, { weight: 1, arbitrary: fc.constantFrom(...edges) })
}

function texts({ minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<string> {
  const edges = [minLength, maxLength, maxLength + 1].filter((length) => length >= 0 && length <= 10_000)
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) }) },
    { weight: 1, arbitrary: fc.constantFrom(...edges).map((length) => 'a'.repeat(length)) },
  )
}

function objects(source: SchemaSource, schema: Schema): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {})
  if (properties.length === 0)
    return fc.dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 4 })
  const model = Object.fromEntries(properties.map(([name, member]) => [name, schemaArbitrary(source, member, name)]))
  return fc.record(model, { requiredKeys: [...(schema.required ?? [])], noNullPrototype: true })
}

/** The same values with one member wrong, missing or unexpected. */
export function corrupted(source: SchemaSource, schema: Schema): fc.Arbitrary<unknown> {
  const names = [...fieldNames(source, schema), 'unknownField', '__proto__', 'constructor']
  return fc
    .tuple(schemaArbitrary(source, schema), fc.constantFrom(...names), fc.option(hostileJson, { nil: undefined }))
    .map(([value, name, hostile]) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return hostile ?? null
      // A plain assignment would set the prototype where the name is `__proto__`.
      return Object.fromEntries([...Object.entries(value).filter(([key]) => key !== name), [name, hostile]])
    })
}

function fieldNames(source: SchemaSource, schema: Schema): string[] {
  if (schema.$ref) return fieldNames(source, source.resolve(schema.$ref))
  const branches = (schema.anyOf ?? schema.oneOf ?? []).flatMap((branch) => fieldNames(source, branch))
  return [...new Set([...Object.keys(schema.properties ?? {}), ...branches])]
}

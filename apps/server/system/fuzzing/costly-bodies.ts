import type { Schema, SchemaSource } from './schema-arbitraries.ts'

/** A body of one of the shapes that cost a server most, and the name of that shape. */
export interface CostlyBody {
  readonly shape: string
  /** The same for two bodies that fill places of the same schema in the same way. */
  readonly kind: string
  readonly text: string
}

/** Where a value of a body sits: `wrap` puts a JSON text there, inside an otherwise valid body. */
interface Place {
  readonly name: string
  readonly schema: Schema
  wrap(json: string): string
}

/** Nesting of schemas that is worth following; the document's deepest body has six levels. */
const DEPTH_MAX = 8

/** Bodies of `bytes` bytes that are expensive to validate against `schema`, at every place of it. */
export function costlyBodies(source: SchemaSource, schema: Schema, bytes: number): CostlyBody[] {
  return placesIn(source, { name: 'body', schema, wrap: (json) => json }, 0).flatMap((place) =>
    fillersFor(place.schema).map(([filler, text]) => ({
      shape: `${filler} in ${place.name}`,
      kind: `${filler} ${JSON.stringify(place.schema)}`,
      text: place.wrap(text(bytes - place.wrap('').length)),
    })),
  )
}

/** Bodies of `bytes` bytes that trouble a parser, whatever the schema is. */
export function costlyTexts(bytes: number): CostlyBody[] {
  const shapes: Readonly<Record<string, string>> = {
    'open brackets': '['.repeat(bytes),
    'numbers of 308 digits': list(`${'9'.repeat(308)}`, bytes),
    'one long number': '7'.repeat(bytes),
    'escaped characters': `"${'\\u0061'.repeat(bytes / 6 - 1)}"`,
    'prototypes in every object': list('{"__proto__":{"a":1}}', bytes),
    'nested lists': list(`${'['.repeat(60)}${']'.repeat(60)}`, bytes),
    'many names': names(bytes),
    'many names with escapes': names(bytes).replace('"n0"', '"\\u006e"'),
    'digits and letters': `"${'1e'.repeat(bytes / 2 - 2)}"`,
    'white space': ' '.repeat(bytes),
  }
  return Object.entries(shapes).map(([shape, text]) => ({ shape, kind: shape, text }))
}

/** What fills a place with many wrong, or just many, values. */
function fillersFor(schema: Schema): [string, (bytes: number) => string][] {
  const types = [schema.type ?? []].flat()
  const fillers: [string, (bytes: number) => string][] = [
    ['a long text', (bytes) => `"${'a'.repeat(bytes - 2)}"`],
    ['a list of empty objects', (bytes) => list('{}', bytes)],
  ]
  if (types.includes('array')) {
    fillers.push(['a list of numbers', (bytes) => list('0', bytes)])
    fillers.push(['a list of texts', (bytes) => list('"a"', bytes)])
    fillers.push(['a list of lists', (bytes) => list('[[]]', bytes)])
    fillers.push(['a list of different texts', distinct])
  }
  if (types.includes('object')) fillers.push(['many names', names])
  if (types.includes('string')) {
    fillers.push(['digits', (bytes) => `"${'1'.repeat(bytes - 2)}"`])
    fillers.push(['at signs', (bytes) => `"${'a@'.repeat(bytes / 2 - 1)}"`])
    fillers.push(['dots', (bytes) => `"${'a.'.repeat(bytes / 2 - 1)}"`])
    fillers.push(['spaces', (bytes) => `"${' '.repeat(bytes - 2)}"`])
    fillers.push(['hexadecimal digits', (bytes) => `"0x${'f'.repeat(bytes - 4)}"`])
  }
  return fillers
}

/** The place itself and every place below it. */
function placesIn(source: SchemaSource, at: Place, depth: number): Place[] {
  if (depth > DEPTH_MAX) return []
  const schema = resolved(source, at.schema)
  const branches = schema.anyOf ?? schema.oneOf
  if (branches) return branches.flatMap((branch) => placesIn(source, { ...at, schema: branch }, depth + 1))
  const fields = Object.entries(schema.properties ?? {}).map(([name, inner]): Place => {
    const others = { ...objectOf(source, schema), [name]: undefined }
    const rest = JSON.stringify(others).slice(1, -1)
    return {
      name: at.name === 'body' ? name : `${at.name}.${name}`,
      schema: inner,
      wrap: (json) => at.wrap(`{${rest}${rest === '' ? '' : ','}${JSON.stringify(name)}:${json}}`),
    }
  })
  const items = schema.items
    ? [{ name: `${at.name}[]`, schema: schema.items, wrap: (json: string) => at.wrap(`[${json}]`) }]
    : []
  return [{ ...at, schema }, ...[...fields, ...items].flatMap((place) => placesIn(source, place, depth + 1))]
}

/** A valid value: a body that lacks another field would be refused before the costly one is reached. */
function valid(source: SchemaSource, given: Schema, name: string): unknown {
  const schema = resolved(source, given)
  const [branch] = schema.anyOf ?? schema.oneOf ?? []
  if (branch) return valid(source, branch, name)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [type] = [schema.type ?? 'null'].flat()
  if (type === 'object') return objectOf(source, schema)
  if (type === 'array') return Array(schema.minItems ?? 0).fill(valid(source, schema.items ?? {}, name))
  const example = source.examples[name]?.find((one) => typeof one === (type === 'integer' ? 'number' : type))
  if (example !== undefined) return example
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'boolean') return false
  return type === 'string' ? 'a'.repeat(Math.max(1, schema.minLength ?? 1)) : null
}

function objectOf(source: SchemaSource, { properties = {}, required = [] }: Schema): Record<string, unknown> {
  return Object.fromEntries(required.map((name) => [name, valid(source, properties[name] ?? {}, name)]))
}

function resolved(source: SchemaSource, schema: Schema): Schema {
  return schema.$ref ? source.resolve(schema.$ref) : schema
}

function list(item: string, bytes: number): string {
  const count = Math.max(1, Math.floor((bytes - 1) / (item.length + 1)))
  return `[${Array(count).fill(item).join(',')}]`
}

function distinct(bytes: number): string {
  return `[${Array.from({ length: Math.floor(bytes / 10) }, (_, index) => `"${index.toString(36).padStart(6, 'a')}"`).join(',')}]`
}

function names(bytes: number): string {
  return `{${Array.from({ length: Math.floor(bytes / 12) }, (_, index) => `"n${index}":${index % 10}`).join(',')}}`
}

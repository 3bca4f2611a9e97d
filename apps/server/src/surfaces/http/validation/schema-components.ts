import { DOCUMENTED } from '../schemas/documented-as.ts'

type Json = unknown

/**
 * Removes every `$id` from a schema. A schema with an `$id` gets a name in the API reference, but the compilers for
 * validation and serialization reject a route that uses the same named schema twice.
 */
export function withoutIds<T extends Json>(schema: T): T {
  return mapSchema(schema, (copy) => {
    delete copy.$id
    delete copy[DOCUMENTED]
    return copy
  }) as T
}

/** Marks a named schema in the document until {@link resolveMarks} replaces the mark with a `$ref`. */
const MARK = 'x-weir-component'

/** The named schemas of the whole service. Two different schemas with one name throw when the document is made. */
export class SchemaComponents {
  readonly #schemas = new Map<string, Json>()

  /** Replaces every named schema in `schema` with a mark and stores the schema under its name. */
  collect(schema: Json): Json {
    return mapSchema(schema, (given) => {
      const copy = documentedOf(given)
      const name = copy.$id
      if (typeof name !== 'string') return copy
      delete copy.$id
      const existing = this.#schemas.get(name)
      if (existing !== undefined && JSON.stringify(existing) !== JSON.stringify(copy))
        throw new Error(`two different schemas are named ${name}`)
      this.#schemas.set(name, copy)
      return { [MARK]: name }
    })
  }

  /** The named schemas, sorted by name to keep the document stable. */
  all(): Record<string, Json> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

/** The exact form of a schema that has one, under the name and description of the schema itself. */
function documentedOf(given: Record<string, Json>): Record<string, Json> {
  const exact = given[DOCUMENTED] as Record<string, Json> | undefined
  if (exact === undefined || MARK in exact) return exact ?? given
  const { $id, description } = given
  return { ...exact, ...($id !== undefined && { $id }), ...(description !== undefined && { description }) }
}

/** Replaces every mark in a finished document with a `$ref`. */
export function resolveMarks<T extends Json>(document: T): T {
  return mapSchema(document, (copy) =>
    typeof copy[MARK] === 'string' ? { $ref: `#/components/schemas/${copy[MARK]}` } : copy,
  ) as T
}

/** A deep copy with `change` applied to every object, innermost first. */
function mapSchema(node: Json, change: (copy: Record<string, Json>) => Record<string, Json>): Json {
  if (Array.isArray(node)) return node.map((item) => mapSchema(item, change))
  if (typeof node !== 'object' || node === null) return node
  const copy: Record<string, Json> = {}
  for (const [key, value] of Object.entries(node)) copy[key] = mapSchema(value, change)
  return change(copy)
}

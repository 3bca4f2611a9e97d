type Json = unknown

/**
 * Schemas with an `$id` get a name in the API reference. For validation and serialization the name is taken off, because
 * the same named schema may stand in one route twice, which neither compiler likes.
 */
export function withoutIds<T extends Json>(schema: T): T {
  return mapSchema(schema, (copy) => {
    delete copy.$id
    return copy
  }) as T
}

/** Marks the place of a named schema in the document until `$ref`s may be written (see {@link resolveMarks}). */
const MARK = 'x-weir-component'

/** The named schemas of the whole service. A name that means two different things is a programmer's error. */
export class SchemaComponents {
  readonly #schemas = new Map<string, Json>()

  /** Replaces every named schema in `schema` by a mark, and keeps the schema under its name. */
  collect(schema: Json): Json {
    return mapSchema(schema, (copy) => {
      const name = copy.$id
      if (typeof name !== 'string') return copy
      delete copy.$id
      const known = this.#schemas.get(name)
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(copy))
        throw new Error(`two different schemas are named ${name}`)
      this.#schemas.set(name, copy)
      return { [MARK]: name }
    })
  }

  /** The named schemas, sorted by name so that the document changes only when they do. */
  all(): Record<string, Json> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

/** Turns marks into `$ref`s, everywhere in a finished document. */
export function resolveMarks<T extends Json>(document: T): T {
  return mapSchema(document, (copy) =>
    typeof copy[MARK] === 'string' ? { $ref: `#/components/schemas/${copy[MARK]}` } : copy,
  ) as T
}

/** A deep copy in which every object went through `change`, the innermost first. */
function mapSchema(node: Json, change: (copy: Record<string, Json>) => Record<string, Json>): Json {
  if (Array.isArray(node)) return node.map((item) => mapSchema(item, change))
  if (typeof node !== 'object' || node === null) return node
  const copy: Record<string, Json> = {}
  for (const [key, value] of Object.entries(node)) copy[key] = mapSchema(value, change)
  return change(copy)
}

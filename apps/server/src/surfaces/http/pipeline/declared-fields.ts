type Json = Readonly<Record<string, unknown>>

/** The fields of an object that a schema declares, each with every schema that it may have. */
type Declared = ReadonlyMap<string, readonly Json[]>

const COMBINED = ['allOf', 'anyOf', 'oneOf'] as const
/** A schema with one of these takes fields that it does not name. */
const OPEN = ['additionalProperties', 'patternProperties', 'unevaluatedProperties'] as const

/**
 * Drops the fields that a schema does not declare from a value that it accepted, at every depth, in place. Unknown fields
 * are ignored (contract 4); what a handler never receives it cannot pass on by accident. Objects whose fields are the
 * caller's own, such as `metadata`, are left as they are.
 */
export function keepDeclared(value: unknown, schema: unknown): void {
  if (isSchema(schema)) keep(value, [schema])
}

function keep(value: unknown, schemas: readonly Json[]): void {
  if (typeof value !== 'object' || value === null) return
  const all = schemas.flatMap(branchesOf)
  if (Array.isArray(value)) {
    const items = all.flatMap(({ items }) => (isSchema(items) ? [items] : []))
    if (items.length > 0) for (const item of value) keep(item, items)
    return
  }
  const declared = declaredBy(all)
  if (declared === undefined) return
  const record = value as Record<string, unknown>
  for (const name of Object.keys(record)) {
    const of = declared.get(name)
    if (of === undefined) delete record[name]
    else keep(record[name], of)
  }
}

/** `undefined`: any field is allowed. */
function declaredBy(branches: readonly Json[]): Declared | undefined {
  const declared = new Map<string, Json[]>()
  for (const branch of branches) {
    if (OPEN.some((name) => isSchema(branch[name]) || branch[name] === true)) return undefined
    for (const [name, schema] of Object.entries((branch.properties ?? {}) as Json))
      declared.set(name, [...(declared.get(name) ?? []), schema as Json])
  }
  return branches.some(({ properties }) => properties !== undefined) ? declared : undefined
}

/** The schema with all that it combines. */
function branchesOf(schema: Json): Json[] {
  const combined = COMBINED.flatMap((name) => (Array.isArray(schema[name]) ? (schema[name] as Json[]) : []))
  return [schema, ...combined.flatMap(branchesOf)]
}

const isSchema = (value: unknown): value is Json => typeof value === 'object' && value !== null

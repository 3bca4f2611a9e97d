type Json = Readonly<Record<string, unknown>>

const COMBINED = ['allOf', 'anyOf', 'oneOf'] as const
/** A schema with one of these takes fields that it does not name. */
const OPEN = ['additionalProperties', 'patternProperties', 'unevaluatedProperties'] as const

/**
 * An object that a schema accepted, without the fields that it does not declare. Unknown fields are ignored (contract 4),
 * and what a handler never receives it cannot pass on by accident. Fields within fields stay: a verb may reject one that
 * it does not know, such as a condition of a policy.
 */
export function declaredFields(value: unknown, schema: unknown): unknown {
  if (!isObject(schema) || !isObject(value) || Array.isArray(value)) return value
  const declared = declaredBy(branchesOf(schema))
  if (declared === undefined || Object.keys(value).every((name) => declared.has(name))) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => declared.has(name)))
}

/** The names of the fields; `undefined`: any field is allowed. */
function declaredBy(branches: readonly Json[]): ReadonlySet<string> | undefined {
  if (branches.some((branch) => OPEN.some((name) => isObject(branch[name]) || branch[name] === true))) return undefined
  const named = branches.flatMap(({ properties }) => (isObject(properties) ? [properties] : []))
  return named.length === 0 ? undefined : new Set(named.flatMap(Object.keys))
}

/** The schema with all that it combines. */
function branchesOf(schema: Json): Json[] {
  const combined = COMBINED.flatMap((name) => (Array.isArray(schema[name]) ? (schema[name] as Json[]) : []))
  return [schema, ...combined.flatMap(branchesOf)]
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

type Json = Record<string, unknown>

/**
 * Writes the schemas of a finished document in the form that generators read best: every enum has a type, an enum that
 * is a component is that component everywhere, and a map has `additionalProperties`.
 */
export function completeSchemas<T>(document: T): T {
  const { schemas = {} } = ((document as Json).components ?? {}) as { schemas?: Record<string, Json> }
  const named = new Map(
    Object.entries(schemas).flatMap(([name, schema]) => (schema.enum ? [[JSON.stringify(schema.enum), name]] : [])) as [
      string,
      string,
    ][],
  )
  return complete(document, named, '') as T
}

function complete(node: unknown, named: ReadonlyMap<string, string>, path: string): unknown {
  if (Array.isArray(node)) return node.map((item) => complete(item, named, `${path}/*`))
  if (typeof node !== 'object' || node === null) return node
  const copy: Json = {}
  for (const [key, value] of Object.entries(node)) copy[key] = complete(value, named, `${path}/${key}`)
  return mapped(typed(copy, named, path))
}

function typed(schema: Json, named: ReadonlyMap<string, string>, path: string): Json {
  if (!Array.isArray(schema.enum)) return schema
  const { enum: values, type: _, ...rest } = schema
  const name = named.get(JSON.stringify(values))
  const isComponent = /^\/components\/schemas\/\w+$/.test(path)
  if (name !== undefined && !isComponent) return { $ref: `#/components/schemas/${name}`, ...rest }
  const type = values.every((value) => typeof value === 'string') ? 'string' : schema.type
  return { ...(type !== undefined && { type }), enum: values, ...rest }
}

function mapped(schema: Json): Json {
  const patterns = Object.entries((schema.patternProperties ?? {}) as Json)
  if (patterns.length !== 1) return schema
  const { patternProperties: _, ...rest } = schema
  return { ...rest, additionalProperties: isAnything(patterns[0]![1]) ? true : patterns[0]![1] }
}

const isAnything = (schema: unknown) => typeof schema === 'object' && Object.keys(schema!).length === 0

/**
 * Converts query strings and path parameters from text to the types in their schema (contract 4). Only plain forms are
 * converted: `5` is an integer, while `5e0`, `0x5`, ` 5` and `5.0` stay text, which validation then rejects.
 * Booleans are case-insensitive (contract 1), because Python writes `True`.
 */
export function coerce(values: Record<string, unknown>, properties: Readonly<Record<string, object>>): void {
  for (const [name, schema] of Object.entries(properties)) {
    const value = values[name]
    if (value === undefined || !('type' in schema)) continue
    if (schema.type === 'array') values[name] = (Array.isArray(value) ? value : [value]).map(itemOf(schema))
    else values[name] = coerced(value, schema.type)
  }
}

function itemOf(schema: object): (item: unknown) => unknown {
  const items = 'items' in schema ? schema.items : undefined
  const type = typeof items === 'object' && items !== null && 'type' in items ? items.type : undefined
  return (item) => coerced(item, type)
}

function coerced(value: unknown, type: unknown): unknown {
  if (typeof value !== 'string') return value
  if (type === 'integer' && /^-?\d{1,20}$/.test(value)) return Number(value)
  if (type === 'number' && /^-?\d{1,20}(?:\.\d{1,20})?$/.test(value)) return Number(value)
  if (type === 'boolean' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  return value
}

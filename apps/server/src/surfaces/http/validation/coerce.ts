/**
 * Converts query strings and path parameters from text to the types in their schema (contract 4). Only plain forms are
 * converted: `5` is an integer, while `5e0`, `0x5`, ` 5` and `5.0` stay text, which validation then rejects.
 * Booleans are case-insensitive, because Python writes `True`, and so are the words of a filter (contract 1).
 */
export function coerce(values: Record<string, unknown>, properties: Readonly<Record<string, object>>): void {
  for (const [name, schema] of Object.entries(properties)) {
    const value = values[name]
    if (value === undefined) continue
    if ('type' in schema && schema.type === 'array')
      values[name] = (Array.isArray(value) ? value : [value]).map(itemOf(schema))
    else values[name] = coerced(value, schema)
  }
}

function itemOf(schema: object): (item: unknown) => unknown {
  const items = 'items' in schema ? schema.items : undefined
  return (item) => coerced(item, typeof items === 'object' && items !== null ? items : {})
}

function coerced(value: unknown, { type, enum: words }: { readonly type?: unknown; readonly enum?: unknown }): unknown {
  if (typeof value !== 'string') return value
  if (Array.isArray(words)) return words.find((word) => isSameWord(word, value)) ?? value
  if (type === 'integer' && /^-?\d{1,20}$/.test(value)) return Number(value)
  if (type === 'number' && /^-?\d{1,20}(?:\.\d{1,20})?$/.test(value)) return Number(value)
  if (type === 'boolean' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  return value
}

const isSameWord = (word: unknown, text: string): boolean =>
  typeof word === 'string' && word.toLowerCase() === text.toLowerCase()

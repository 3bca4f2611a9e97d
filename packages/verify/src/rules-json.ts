/** A problem in a configured file and its path: `chains[0].tokens[1].address must be ...`. */
export class RulesError extends Error {
  override readonly name = 'RulesError'
}

export type Json = Readonly<Record<string, unknown>>

/** Requires an object without other fields: a misspelled rule would protect nobody. Throws {@link RulesError}. */
export function record(json: unknown, path: string, fields: readonly string[]): Json {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) wrong(path, 'must be an object')
  const strange = Object.keys(json).find((field) => !fields.includes(field))
  if (strange !== undefined) wrong(`${path}.${strange}`, `is not known; the fields are ${fields.join(', ')}`)
  return json as Json
}

export function list<Item>(json: unknown, path: string, item: (json: unknown, path: string) => Item): Item[] {
  if (!Array.isArray(json)) wrong(path, 'must be a list')
  return json.map((one, index) => item(one, `${path}[${index}]`))
}

export function text(json: unknown, path: string): string {
  return typeof json === 'string' && json !== '' ? json : wrong(path, 'must be a text')
}

export function integer(json: unknown, path: string): number {
  return Number.isSafeInteger(json) && (json as number) >= 0 ? (json as number) : wrong(path, 'must be a whole number')
}

/** A string, because JSON numbers are not exact at this size. */
export function whole(json: unknown, path: string): bigint {
  return typeof json === 'string' && /^[0-9]{1,40}$/.test(json)
    ? BigInt(json)
    : wrong(path, 'must be a whole number in quotes')
}

export function noDuplicates(names: readonly string[], path: string): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) wrong(path, `has ${twice} twice`)
}

export function wrong(path: string, sentence: string): never {
  throw new RulesError(`${path} ${sentence}`)
}

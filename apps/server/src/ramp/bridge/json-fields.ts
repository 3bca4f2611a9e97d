/** Untrusted JSON from the partner: any shape is possible. */
export type BridgeJson = Readonly<Record<string, unknown>>

export const isJson = (value: unknown): value is BridgeJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The string field with this name; `undefined` if it is missing, empty or not a string. */
export function textOf(json: BridgeJson | undefined, name: string): string | undefined {
  const value = json?.[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The object field with this name. */
export function objectOf(json: BridgeJson | undefined, name: string): BridgeJson | undefined {
  const value = json?.[name]
  return isJson(value) ? value : undefined
}

export function textsOf(json: BridgeJson | undefined, name: string): string[] {
  const value = json?.[name]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** A time field in milliseconds; `undefined` if it is not a time. */
export function timeOf(json: BridgeJson | undefined, name: string): number | undefined {
  const text = textOf(json, name)
  const at = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) || at < 0 ? undefined : at
}

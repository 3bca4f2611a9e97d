import { BRIDGE_TEXT_BYTES_MAX } from '../../kernel/index.ts'

/** Untrusted JSON from the partner: any shape is possible. */
export type BridgeJson = Readonly<Record<string, unknown>>

/** V8 parses much more than this as a time, such as comments in parentheses. */
const ISO_TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.,]{5,30}(?:Z|[+-][0-9:]{2,6})?)?$/i

export const isJson = (value: unknown): value is BridgeJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The string field with this name; `undefined` if it is missing, empty, not a string, too long to be indexed, or contains
 * characters that PostgreSQL cannot store. One such field must not stop a message, or a round that reads others as well.
 */
export function textOf(json: BridgeJson | undefined, name: string): string | undefined {
  const value = json?.[name]
  if (typeof value !== 'string' || value === '' || value.length > BRIDGE_TEXT_BYTES_MAX) return undefined
  const isStorable = !value.includes('\0') && value.isWellFormed() && Buffer.byteLength(value) <= BRIDGE_TEXT_BYTES_MAX
  return isStorable ? value : undefined
}

/** The object field with this name. */
export function objectOf(json: BridgeJson | undefined, name: string): BridgeJson | undefined {
  const value = json?.[name]
  return isJson(value) ? value : undefined
}

/** Only these fields, as they are. */
export const only = (json: BridgeJson | undefined, names: readonly string[]): BridgeJson =>
  Object.fromEntries(names.flatMap((name) => (json?.[name] === undefined ? [] : [[name, json[name]]])))

export function textsOf(json: BridgeJson | undefined, name: string): string[] {
  const value = json?.[name]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** A time field in milliseconds; `undefined` if it is not a time in ISO 8601, or one whose sequence number is inexact. */
export function timeOf(json: BridgeJson | undefined, name: string): number | undefined {
  const text = textOf(json, name)
  const at = text !== undefined && ISO_TIME.test(text) ? Date.parse(text) : Number.NaN
  return Number.isSafeInteger(at * 1_000) && at >= 0 ? at : undefined
}

/** When the partner created an entry of a list, in milliseconds; 0 if it does not say. */
export const createdAt = (entry: BridgeJson): number => timeOf(entry, 'created_at') ?? 0

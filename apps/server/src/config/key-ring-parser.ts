import type { SettingParser } from './setting-parsers.ts'

/** The keys of one purpose with their ids; the first is current. */
export type ConfiguredKeys = readonly (readonly [id: string, key: string])[]

/** Each presented API key is hashed under every pepper, so a ring stays short. */
const KEYS_MAX = 8
const KEY_ID = /^[a-z0-9][a-z0-9_-]{0,15}$/

/** Keys with their ids, `id:key,id:key`, the current one first. Each key passes `check`. */
export function keysOf(check: SettingParser<string>): SettingParser<ConfiguredKeys> {
  return (text) => {
    const keys = text.split(',').map((part) => entryOf(part.trim(), check))
    if (keys.length > KEYS_MAX) throw new RangeError(`must have at most ${KEYS_MAX} keys`)
    if (!isUnique(keys.map(([id]) => id))) throw new RangeError('must not have two keys with one id')
    if (!isUnique(keys.map(([, key]) => key))) throw new RangeError('must not have one key under two ids')
    return keys
  }
}

function entryOf(part: string, check: SettingParser<string>): ConfiguredKeys[number] {
  const colon = part.indexOf(':')
  const id = part.slice(0, Math.max(colon, 0))
  if (!KEY_ID.test(id)) {
    throw new RangeError('must be keys with their ids, such as 2026b:KEY,0:KEY; an id has 1 to 16 of a-z, 0-9, - and _')
  }
  return [id, check(part.slice(colon + 1))]
}

function isUnique(values: readonly string[]): boolean {
  return new Set(values).size === values.length
}

import { assert } from './errors.ts'

/**
 * The keys of one purpose, by id. New values are made with the current key; the others only open and verify what was
 * made with them. Ids are public: sealed values and tokens name the key that they need.
 */
export interface KeyRing {
  readonly currentId: string
  readonly keys: ReadonlyMap<string, string>
}

/** The id of a key that was configured without one. Values that name no key were made with it. */
export const UNNAMED_KEY_ID = '0'

/** Lower-case letters, digits, dashes and underscores. */
const KEY_ID = /^[a-z0-9][a-z0-9_-]{0,15}$/

export function isKeyId(text: unknown): text is string {
  return typeof text === 'string' && KEY_ID.test(text)
}

/** A ring of these keys; the first is current. */
export function keyRing(keys: Iterable<readonly [id: string, key: string]>): KeyRing {
  const byId = new Map(keys)
  const [currentId] = byId.keys()
  assert(currentId !== undefined, 'a key ring has a key')
  return { currentId, keys: byId }
}

/** A single secret is a ring of one key, which has the id 0. */
export function ringOf(keys: KeyRing | string): KeyRing {
  return typeof keys === 'string' ? keyRing([[UNNAMED_KEY_ID, keys]]) : keys
}

export function currentKey(ring: KeyRing): string {
  const key = ring.keys.get(ring.currentId)
  assert(key !== undefined, `the ring has its current key ${ring.currentId}`)
  return key
}

import { randomFillSync } from 'node:crypto'
import { RANDOM_POOL_BYTES } from './limits.ts'

/** Source of random bytes; passed as an argument wherever a test or the simulation must replay. */
export type RandomSource = (bytes: number) => Uint8Array

const pool = new Uint8Array(RANDOM_POOL_BYTES)
let used = RANDOM_POOL_BYTES

export const systemRandomSource: RandomSource = (bytes) => {
  if (bytes > RANDOM_POOL_BYTES) return randomFillSync(new Uint8Array(bytes))
  if (used + bytes > RANDOM_POOL_BYTES) {
    randomFillSync(pool)
    used = 0
  }
  const chunk = pool.slice(used, used + bytes)
  // These bytes become keys: wipe the pool's copy of what was issued.
  pool.fill(0, used, used + bytes)
  used += bytes
  return chunk
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `length` random base62 characters, without modulo bias: bytes of 248 and above are discarded. */
export function randomBase62(random: RandomSource, length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random(length * 2)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62]
    }
  }
  return text
}

/** Ids in paths and bodies are positive integers below 2^53 (contract 1). */
export function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

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

/**
 * A UUID of version 7 (RFC 9562): sorts by its time, in milliseconds, and within one by `sequence` (12 bits); the rest is
 * random.
 */
export function uuidV7(random: RandomSource, at: Date, sequence = 0): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(at.getTime(), 0, 6)
  bytes.writeUInt16BE(0x7000 | (sequence & 0xfff), 6)
  bytes.set(random(8), 8)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Ids in paths and bodies are positive integers below 2^53 (contract 1). */
export function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

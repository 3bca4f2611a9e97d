import { randomBytes } from 'node:crypto'

/** Source of random bytes; an argument wherever a test or the simulation must replay (house habit 5). */
export type Random = (bytes: number) => Uint8Array

export const systemRandom: Random = (bytes) => randomBytes(bytes)

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `length` random base62 characters, without modulo bias: bytes of 248 and above are thrown away. */
export function randomBase62(random: Random, length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random(length * 2)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62]
    }
  }
  return text
}

/** Ids in paths and bodies are positive integers below 2^53 (decisions 1). */
export function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

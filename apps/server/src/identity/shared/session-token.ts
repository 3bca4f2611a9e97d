import { type RandomSource, randomBase62 } from '../../kernel/index.ts'

/** 256 bits in base62. */
const LENGTH = 43

/** A refresh token, or the value of a browser's cookie. */
export const newSessionToken = (random: RandomSource): string => randomBase62(random, LENGTH)

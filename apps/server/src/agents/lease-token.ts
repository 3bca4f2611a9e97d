import { type RandomSource, randomBase62 } from '../kernel/index.ts'

/** Too long to guess another agent's token. */
const LENGTH = 24

/** The token with which an agent proves that a lease is its own. */
export function newLeaseToken(random: RandomSource): string {
  return `lease_${randomBase62(random, LENGTH)}`
}

import { type RandomSource, randomBase62 } from '../kernel/index.ts'

/** Long enough that nobody guesses another agent's. */
const LENGTH = 24

/** The word by which an agent shows that a lease is its own. */
export function newLeaseToken(random: RandomSource): string {
  return `lease_${randomBase62(random, LENGTH)}`
}

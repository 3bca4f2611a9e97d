/**
 * All randomness of a simulation comes from its seed. Each part draws from its own stream: an extra draw in one part
 * does not change the others.
 */
export interface Random {
  /** From 0 inclusive to 1 exclusive. */
  next(): number
  /** An integer from 0 inclusive to `below` exclusive. */
  int(below: number): number
  /** An integer, both ends included. */
  between(least: number, most: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** One of the choices, drawn by weight. */
  weighted<T>(choices: readonly (readonly [number, T])[]): T
  shuffled<T>(list: readonly T[]): T[]
  /** A share of an amount, from `least` to `most` percent. */
  part(amount: bigint, least: number, most: number): bigint
  /** A stream that depends only on the seed and this name. */
  fork(name: string): Random
}

export function randomFrom(seed: string): Random {
  let [a, b, c, d] = scattered(seed)

  /** sfc32: small, fast, and passes the usual statistical tests. */
  const next = (): number => {
    const sum = (a + b + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return (sum >>> 0) / 4_294_967_296
  }
  for (let warmUp = 0; warmUp < 12; warmUp += 1) next()

  const random: Random = {
    next,
    int: (below) => Math.floor(next() * below),
    between: (least, most) => least + random.int(most - least + 1),
    chance: (probability) => next() < probability,
    pick: (list) => list[random.int(list.length)]!,
    weighted(choices) {
      let left = next() * choices.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, choice] of choices) {
        left -= weight
        if (left < 0) return choice
      }
      return choices.at(-1)![1]
    },
    shuffled(list) {
      const cards = [...list]
      for (let at = cards.length - 1; at > 0; at -= 1) {
        const other = random.int(at + 1)
        ;[cards[at], cards[other]] = [cards[other]!, cards[at]!]
      }
      return cards
    },
    part: (amount, least, most) => (amount * BigInt(random.between(least, most))) / 100n,
    fork: (name) => randomFrom(`${seed}/${name}`),
  }
  return random
}

/** Hashes a text to four 32-bit words; similar texts give unrelated words. */
function scattered(text: string): [number, number, number, number] {
  let [a, b, c, d] = [1_779_033_703, 3_144_134_277, 1_013_904_242, 2_773_480_762]
  for (const letter of text) {
    const code = letter.codePointAt(0)!
    a = b ^ Math.imul(a ^ code, 597_399_067)
    b = c ^ Math.imul(b ^ code, 2_869_860_233)
    c = d ^ Math.imul(c ^ code, 951_274_213)
    d = a ^ Math.imul(d ^ code, 2_716_044_179)
  }
  return [a, b, c, d]
}

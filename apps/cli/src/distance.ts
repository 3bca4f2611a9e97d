/** How many letters must be changed, added or removed to make one of the other (Levenshtein). */
export function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at]
    for (let to = 1; to <= other.length; to += 1) {
      const swap = row[to - 1]! + (one[at - 1] === other[to - 1] ? 0 : 1)
      next.push(Math.min(swap, row[to]! + 1, next[to - 1]! + 1))
    }
    row = next
  }
  return row[other.length]!
}

import { DAY_MS } from '../kernel/index.ts'

/** The last second of each UTC day that ends after `from` and before `to`: 23:59:59, oldest first. Pure. */
export function dayEnds(from: Date, to: Date): Date[] {
  const first = (Math.floor(from.getTime() / DAY_MS) + 1) * DAY_MS - 1_000
  const ends: Date[] = []
  for (let end = first; end < to.getTime(); end += DAY_MS) {
    if (end > from.getTime()) ends.push(new Date(end))
  }
  return ends
}

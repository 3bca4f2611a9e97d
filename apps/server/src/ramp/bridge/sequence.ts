/**
 * The place of an event in the partner's order: when it happened at the partner, in milliseconds, and within one
 * millisecond how far it is (0 to 999). The partner's own running number is left out: its reference does not say that
 * every delivery carries it, nor over what it runs.
 */
export function sequenceOf(atMs: number, step: number): number {
  return Math.floor(atMs) * 1_000 + Math.min(Math.max(step, 0), 999)
}

/**
 * The sequence number of an event: its time at the partner in milliseconds, and within one millisecond its step (0 to
 * 999). The partner's own counter is not used, because its reference specifies neither that every delivery carries it nor
 * what it counts.
 */
export function sequenceOf(atMs: number, step: number): number {
  return Math.floor(atMs) * 1_000 + Math.min(Math.max(step, 0), 999)
}

import type { Heads } from '../chains/index.ts'
import { Failure, FINAL_BLOCKS_AHEAD_MAX } from '../kernel/index.ts'
import type { Cursor } from './cursor.ts'

/**
 * Refuses a final head that lies further ahead of the cursor than any chain grows. A cursor that followed the false head
 * of one endpoint would wait for the chain to get there, for days or for good, whatever other endpoints report. Error:
 * CHAIN_UNAVAILABLE.
 */
export function requirePlausibleHead({ final: settled }: Cursor, { final }: Heads, now: Date): void {
  const elapsedMs = Math.max(0, now.getTime() - settled.time.getTime())
  const most = settled.number + FINAL_BLOCKS_AHEAD_MAX.always + elapsedMs / FINAL_BLOCKS_AHEAD_MAX.oneInMs
  if (final.number <= most) return
  throw new Failure('CHAIN_UNAVAILABLE', {
    cause: new Error(`block ${final.number} cannot be final yet: block ${settled.number} was, ${elapsedMs} ms ago`),
  })
}

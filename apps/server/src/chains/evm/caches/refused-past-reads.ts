import { type Clock, REFUSED_PAST_READS_MAX, RPC_ABSENCE_MS } from '../../../kernel/index.ts'
import { createGracePeriod } from './grace-period.ts'

/** Reads at past blocks that nodes refuse in words that we do not know. */
export interface RefusedPastReads {
  /**
   * Records a refusal. True if reads at that block have been refused for {@link RPC_ABSENCE_MS} and none was served: then
   * no node keeps its state, whatever its message says. The wording of an error must not halt a chain.
   */
  refuse(block: number): boolean
  serve(block: number): void
}

export function createRefusedPastReads(clock: Clock): RefusedPastReads {
  const refused = createGracePeriod<number>(clock, { afterMs: RPC_ABSENCE_MS, max: REFUSED_PAST_READS_MAX })
  return { refuse: refused.isOverdue, serve: refused.forget }
}

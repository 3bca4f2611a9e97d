import type { RandomSource } from '../kernel/index.ts'
import type { Parts } from '../operations/index.ts'

/** The parts that this room's verbs need. */
export interface AgentParts extends Parts {
  readonly random: RandomSource
}

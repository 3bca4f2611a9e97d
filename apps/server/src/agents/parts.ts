import type { RandomSource } from '../kernel/index.ts'
import type { Parts } from '../operations/index.ts'

/** What the verbs of this room need. */
export interface AgentParts extends Parts {
  readonly random: RandomSource
}

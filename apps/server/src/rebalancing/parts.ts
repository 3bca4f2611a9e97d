import type { Parts } from '../operations/index.ts'
import type { RebalanceSettings } from './settings.ts'

/** What the verbs of this room need. */
export interface RebalanceParts extends Parts {
  readonly rebalancing: RebalanceSettings
}

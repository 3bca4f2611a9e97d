import type { Strategy } from '../clients/api-types.ts'
import type { System } from '../service/start-system.ts'

/** A started service, and the database under it for what only a defect or an outage can raise. */
export interface ErrorScenarioContext {
  readonly system: System
  readonly aave: Strategy
  readonly databaseUrl: string
  /** A service of its own with no banking partner behind it, started when it is first asked for. */
  readonly withoutRampProvider: () => Promise<System>
}

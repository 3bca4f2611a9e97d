import type { RampParts } from '../../../ramp/index.ts'
import type { App } from '../../http/index.ts'
import { rampAccountRoutes } from './accounts.ts'
import { rampKybRoutes } from './kyb.ts'
import { rampRecipientRoutes } from './recipients.ts'
import { rampSimulateRoutes } from './simulate.ts'
import { rampSummaryRoutes } from './summary.ts'
import { rampTransactionRoutes } from './transactions.ts'

/** Banks and chains on v1 (spec 4.7, contract 11). Addresses that it tells begin with `publicUrl`. */
export function rampRoutes(app: App, parts: RampParts, publicUrl: string): void {
  rampKybRoutes(app, parts, publicUrl)
  rampRecipientRoutes(app, parts, publicUrl)
  rampAccountRoutes(app, parts)
  rampTransactionRoutes(app, parts)
  rampSummaryRoutes(app, parts)
  rampSimulateRoutes(app, parts)
}

import type { RampParts } from '../../../ramp/index.ts'
import type { App } from '../../http/index.ts'
import { rampAccountRoutes } from './accounts.ts'
import { rampKybRoutes } from './kyb.ts'
import { rampRecipientRoutes } from './recipients.ts'
import { rampSimulateRoutes } from './simulate.ts'
import { rampSummaryRoutes } from './summary.ts'
import { rampTransactionRoutes } from './transactions.ts'

/** Registers the ramp routes (spec 4.7, contract 11). Absolute URLs in responses begin with `publicUrl`. */
export function rampRoutes(app: App, parts: RampParts, publicUrl: string): void {
  rampKybRoutes(app, parts, publicUrl)
  rampRecipientRoutes(app, parts, publicUrl)
  rampAccountRoutes(app, parts)
  rampTransactionRoutes(app, parts)
  rampSummaryRoutes(app, parts)
  rampSimulateRoutes(app, parts)
}

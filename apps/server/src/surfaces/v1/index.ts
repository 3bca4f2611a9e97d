import type { Parts } from '../../operations/index.ts'
import type { App } from '../http/index.ts'
import { allocationRoutes } from './allocations/allocations.ts'
import { earningsRoutes } from './allocations/earnings.ts'
import { exitRoutes } from './allocations/exits.ts'
import { allocationSummaryRoutes } from './allocations/summary.ts'
import { venueAllocationRoutes } from './allocations/venue-allocation.ts'
import { operationRoutes } from './operations/operations.ts'
import { transactionRoutes } from './operations/transactions.ts'
import { unsignedTransactionRoutes } from './operations/unsigned-transactions.ts'
import { venueRoutes } from './venues.ts'
import { walletRoutes } from './wallets.ts'

export { v1EventRoutes } from './events.ts'
export { rampRoutes } from './ramp/routes.ts'
export { type SandboxRouteParts, sandboxRoutes } from './sandbox.ts'
export { sandboxStrategyStateRoutes } from './sandbox-strategy-state.ts'

/** Registers the v1 routes of both environments. Absolute URLs in responses begin with `publicUrl`. */
export function v1Routes(app: App, parts: Parts, publicUrl: string): void {
  walletRoutes(app, parts)
  venueRoutes(app, parts)
  allocationRoutes(app, parts)
  allocationSummaryRoutes(app, parts)
  venueAllocationRoutes(app, parts)
  earningsRoutes(app, parts)
  operationRoutes(app, parts)
  exitRoutes(app, parts)
  unsignedTransactionRoutes(app, parts)
  transactionRoutes(app, parts, publicUrl)
}

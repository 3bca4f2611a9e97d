import type { IdentityParts } from '../../identity/index.ts'
import type { Parts } from '../../operations/index.ts'
import type { App } from '../http/index.ts'
import { agentActionRoutes } from './agent-actions.ts'
import { agentTransactionRoutes } from './agent-transactions.ts'
import { allocationDetailRoute, coreAllocationRoutes } from './allocations.ts'
import { apiKeyRoutes } from './api-keys.ts'
import { approvalPolicyRoutes } from './approval-policy.ts'
import { auditLogRoutes } from './audit-log.ts'
import { authRoutes } from './auth.ts'
import { custodyRoutes } from './custody.ts'
import { memberRoutes } from './members.ts'
import { monitoredWalletRoutes } from './monitored-wallets.ts'
import { operationDetailRoute } from './operation-detail.ts'
import { coreOperationRoutes } from './operations.ts'
import { orgWalletRoutes } from './org-wallets.ts'
import { organizationRoutes } from './organization.ts'
import { enhancedAllocationRoutes } from './preview/allocations.ts'
import { tokenPositionRoutes } from './preview/token-positions.ts'
import { tokenRoutes } from './preview/tokens.ts'
import { moneyMoveRoutes } from './preview/transactions.ts'
import { enhancedStatsRoutes } from './preview/wallet-stats.ts'
import { walletProfileRoutes } from './wallet-profiles.ts'
import { walletStatsRoutes } from './wallet-stats.ts'

export { allocationMoveRoutes } from './allocation-moves.ts'
export { coreEventRoutes } from './events.ts'
export { kybFormRoutes } from './kyb-form.ts'
export { operationDecisionRoutes } from './operation-decisions.ts'
export { rampEventRoutes } from './ramp-events.ts'
export { rebalancePreviewRoute } from './rebalance-preview.ts'
export { sandboxRpcRoute } from './sandbox-rpc.ts'
export { strategyCapRoutes } from './strategy-caps.ts'
export { webhookDeliveryRoutes } from './webhook-deliveries.ts'
export { webhookRoutes } from './webhooks.ts'

/** Every route of the core surface; with `preview` what is announced too (decisions 14). */
export function coreRoutes(app: App, parts: Parts & IdentityParts, preview: boolean): void {
  authRoutes(app, parts)
  memberRoutes(app, parts)
  organizationRoutes(app, parts)
  apiKeyRoutes(app, parts)
  walletProfileRoutes(app, parts)
  custodyRoutes(app, parts)
  agentTransactionRoutes(app, parts)
  agentActionRoutes(app, parts)
  approvalPolicyRoutes(app, parts)
  auditLogRoutes(app, parts)
  orgWalletRoutes(app, parts)
  monitoredWalletRoutes(app, parts)
  coreOperationRoutes(app, parts)
  operationDetailRoute(app, parts, preview)
  allocationDetailRoute(app, parts, preview)
  if (preview) {
    enhancedStatsRoutes(app, parts)
    enhancedAllocationRoutes(app, parts)
    tokenRoutes(app, parts)
    tokenPositionRoutes(app, parts)
    moneyMoveRoutes(app, parts)
  } else {
    walletStatsRoutes(app, parts)
    coreAllocationRoutes(app, parts)
  }
}

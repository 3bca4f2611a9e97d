import type { IdentityParts, RegistrationMode, SsoParts } from '../../identity/index.ts'
import type { Parts } from '../../operations/index.ts'
import type { App } from '../http/index.ts'
import { agentActionRoutes } from './agent/actions.ts'
import { custodyRoutes } from './agent/custody.ts'
import { agentTransactionRoutes } from './agent/transactions.ts'
import { emailRoutes } from './identity/accounts/email.ts'
import { factorRoutes } from './identity/accounts/factors.ts'
import { notificationRoutes } from './identity/accounts/notifications.ts'
import { passwordResetRoutes } from './identity/accounts/password-reset.ts'
import { savedViewRoutes } from './identity/accounts/saved-views.ts'
import { auditLogRoutes } from './identity/audit/audit-log.ts'
import { securityEventRoutes } from './identity/audit/security-events.ts'
import { apiKeyRoutes } from './identity/keys/api-keys.ts'
import { keyErrorRoutes } from './identity/keys/key-errors.ts'
import { keyRequestRoutes } from './identity/keys/key-requests.ts'
import { serviceAccountRoutes } from './identity/keys/service-accounts.ts'
import { walletProfileRoutes } from './identity/keys/wallet-profiles.ts'
import { erasureRoutes } from './identity/organization/erasure.ts'
import { invitationRoutes } from './identity/organization/invitations.ts'
import { memberRoutes } from './identity/organization/members.ts'
import { organizationRoutes } from './identity/organization/organization.ts'
import { quotaRoutes } from './identity/organization/quotas.ts'
import { authRoutes } from './identity/sessions/auth.ts'
import { sessionRoutes } from './identity/sessions/sessions.ts'
import { signInRoutes } from './identity/sessions/sign-in.ts'
import { stepUpRoutes } from './identity/sessions/step-up.ts'
import { ssoDomainRoutes } from './identity/sso/sso-domains.ts'
import { ssoMemberRoutes } from './identity/sso/sso-members.ts'
import { ssoProviderRoutes } from './identity/sso/sso-providers.ts'
import { ssoSignInRoutes } from './identity/sso/sso-sign-in.ts'
import { approvalPolicyRoutes } from './operations/approval-policy.ts'
import { operationDetailRoute } from './operations/operation-detail.ts'
import { coreOperationRoutes } from './operations/operations.ts'
import { policyDryRunRoute } from './operations/policy-dry-run.ts'
import { enhancedAllocationRoutes } from './preview/allocations.ts'
import { moneyMoveRoutes } from './preview/money-moves.ts'
import { tokenPositionRoutes } from './preview/token-positions.ts'
import { tokenRoutes } from './preview/tokens.ts'
import { enhancedStatsRoutes } from './preview/wallet-stats.ts'
import { allocationDetailRoute, coreAllocationRoutes } from './treasury/allocations.ts'
import { balanceRoutes } from './treasury/balances.ts'
import { breakRoutes } from './treasury/breaks.ts'
import { exitRoutes } from './treasury/exits.ts'
import { ledgerEntryRoutes } from './treasury/ledger-entries.ts'
import { operationalWalletRoutes } from './treasury/operational-wallets.ts'
import { orgWalletRoutes } from './treasury/org-wallets.ts'
import { organizationHealthRoutes } from './treasury/organization-health.ts'
import { positionRoutes } from './treasury/positions.ts'
import { walletStatsRoutes } from './treasury/wallet-stats.ts'

export { changePolicyRoutes } from './changes/change-policy.ts'
export { changeRequestRoutes } from './changes/change-requests.ts'
export { destinationRoutes } from './changes/destinations.ts'
export { accountPageRoute } from './identity/accounts/account-page.ts'
export { recipientDataRoutes } from './identity/organization/recipients.ts'
export { browserSessionRoute, keepSessionsInCookies } from './identity/sessions/browser-session.ts'
export { operationDecisionRoutes } from './operations/decisions.ts'
export { sandboxAgentRoutes } from './sandbox-agents.ts'
export { sandboxMailboxRoutes } from './sandbox-mailbox.ts'
export { sandboxRpcRoute } from './sandbox-rpc.ts'
export { searchRoute } from './search.ts'
export { allocationMoveRoutes } from './treasury/allocation-moves.ts'
export { circuitBreakerRoutes } from './treasury/circuit-breakers.ts'
export { depositLimitRoutes } from './treasury/deposit-limits.ts'
export { liquidityRoutes } from './treasury/liquidity.ts'
export { rebalancePreviewRoute } from './treasury/rebalance-preview.ts'
export { strategyCapRoutes } from './treasury/strategy-caps.ts'
export { strategyHistoryRoute } from './treasury/strategy-history.ts'
export { strategyRiskRoutes } from './treasury/strategy-risks.ts'
export { webhookDeliveryRoutes } from './webhooks/deliveries.ts'
export { coreEventRoutes } from './webhooks/events.ts'
export { webhookRoutes } from './webhooks/webhooks.ts'

export interface CoreRouteOptions {
  /** Includes announced routes (contract 14). */
  readonly preview: boolean
  /** Who may register an organization; everyone if absent. */
  readonly registration?: RegistrationMode
}

/** Single sign-on: providers, domains, members and signing in. */
export function ssoRoutes(app: App, parts: SsoParts): void {
  ssoSignInRoutes(app, parts)
  ssoProviderRoutes(app, parts)
  ssoDomainRoutes(app, parts)
  ssoMemberRoutes(app, parts)
}

/** Registers every route of the core surface. */
export function coreRoutes(app: App, parts: Parts & IdentityParts, { preview, registration }: CoreRouteOptions): void {
  authRoutes(app, parts, registration)
  passwordResetRoutes(app, parts)
  emailRoutes(app, parts)
  signInRoutes(app, parts)
  factorRoutes(app, parts)
  stepUpRoutes(app, parts)
  sessionRoutes(app, parts)
  memberRoutes(app, parts)
  invitationRoutes(app, parts)
  organizationRoutes(app, parts)
  erasureRoutes(app, parts)
  notificationRoutes(app, parts)
  quotaRoutes(app, parts)
  savedViewRoutes(app, parts)
  apiKeyRoutes(app, parts)
  serviceAccountRoutes(app, parts)
  keyErrorRoutes(app, parts)
  keyRequestRoutes(app, parts)
  walletProfileRoutes(app, parts)
  custodyRoutes(app, parts)
  agentTransactionRoutes(app, parts)
  agentActionRoutes(app, parts)
  approvalPolicyRoutes(app, parts)
  policyDryRunRoute(app, parts)
  auditLogRoutes(app, parts)
  securityEventRoutes(app, parts)
  orgWalletRoutes(app, parts)
  operationalWalletRoutes(app, parts)
  balanceRoutes(app, parts)
  positionRoutes(app, parts)
  breakRoutes(app, parts)
  ledgerEntryRoutes(app, parts)
  organizationHealthRoutes(app, parts)
  exitRoutes(app, parts)
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

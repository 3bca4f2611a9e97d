import type { ChangeParts } from '../../changes/index.ts'
import type { IdentityParts, RegistrationMode, SsoConnections } from '../../identity/index.ts'
import type { Parts } from '../../operations/index.ts'
import type { RebalanceParts } from '../../rebalancing/index.ts'
import type { SandboxAgents, SandboxParts } from '../../sandbox/index.ts'
import {
  accountPageRoute,
  allocationMoveRoutes,
  browserSessionRoute,
  changePolicyRoutes,
  changeRequestRoutes,
  circuitBreakerRoutes,
  coreEventRoutes,
  coreRoutes,
  depositLimitRoutes,
  destinationRoutes,
  keepSessionsInCookies,
  liquidityRoutes,
  operationDecisionRoutes,
  rebalancePreviewRoute,
  recipientDataRoutes,
  sandboxAgentRoutes,
  sandboxMailboxRoutes,
  sandboxRpcRoute,
  searchRoute,
  ssoRoutes,
  strategyCapRoutes,
  strategyHistoryRoute,
  strategyRiskRoutes,
  webhookDeliveryRoutes,
  webhookRoutes,
} from '../../surfaces/core/index.ts'
import { dashboardRoutes } from '../../surfaces/dashboard/index.ts'
import { type App, sessionCookie } from '../../surfaces/http/index.ts'
import { kybFormRoutes, providerEventRoutes } from '../../surfaces/ramp-inbound/index.ts'
import {
  rampRoutes,
  sandboxRoutes,
  sandboxStrategyStateRoutes,
  v1EventRoutes,
  v1Routes,
} from '../../surfaces/v1/index.ts'
import { createEventFeed, type WebhookParts } from '../../webhooks/index.ts'
import type { ComposedRamp } from '../compose/compose-ramp.ts'

export interface RouteParts {
  readonly parts: Parts & IdentityParts
  readonly changes: ChangeParts
  readonly webhooks: WebhookParts
  readonly sso: SsoConnections
  readonly rebalancing: RebalanceParts['rebalancing']
  readonly ramp: ComposedRamp
  /** Undefined in live, which serves no sandbox. */
  readonly sandbox: (SandboxParts & { readonly agents: SandboxAgents }) | undefined
  readonly publicUrl: string
  /** Who may register an organization. */
  readonly registration?: RegistrationMode
  /** Whether announced routes exist (contract 14). */
  readonly preview?: boolean
}

/**
 * Registers every route of both surfaces, for the service and for tests that inspect the routes in their own process.
 */
export function serveRoutes(
  app: App,
  {
    parts,
    changes,
    webhooks,
    sso,
    rebalancing,
    ramp,
    sandbox,
    publicUrl,
    registration = 'open',
    preview = false,
  }: RouteParts,
): void {
  const cookie = sessionCookie(publicUrl)
  keepSessionsInCookies(app, cookie)
  browserSessionRoute(app, parts, cookie)
  v1Routes(app, parts, publicUrl)
  coreRoutes(app, parts, { preview, registration })
  accountPageRoute(app)
  dashboardRoutes(app, { random: parts.random, environment: sandbox === undefined ? 'live' : 'sandbox' })
  ssoRoutes(app, { ...parts, sso })
  operationDecisionRoutes(app, parts)
  changePolicyRoutes(app, changes)
  changeRequestRoutes(app, changes)
  destinationRoutes(app, parts)
  allocationMoveRoutes(app, { ...parts, rebalancing })
  strategyCapRoutes(app, { ...parts, rebalancing })
  depositLimitRoutes(app, { ...parts, rebalancing })
  circuitBreakerRoutes(app, { ...parts, rebalancing })
  strategyRiskRoutes(app, { db: parts.db, embedded: sandbox !== undefined })
  strategyHistoryRoute(app, parts)
  liquidityRoutes(app, parts)
  rebalancePreviewRoute(app, { ...parts, rebalancing })
  webhookRoutes(app, webhooks)
  webhookDeliveryRoutes(app, webhooks)
  const { db } = parts
  const events = {
    db,
    events: webhooks.events,
    log: webhooks.log,
    feed: createEventFeed(parts),
  }
  coreEventRoutes(app, events)
  v1EventRoutes(app, events)
  rampRoutes(app, ramp.ramp, publicUrl)
  recipientDataRoutes(app, ramp.ramp)
  searchRoute(app, { ...parts, ramp: ramp.ramp })
  providerEventRoutes(app, ramp.ramp)
  if (ramp.kybForm) kybFormRoutes(app, ramp.kybForm)
  if (!sandbox) return
  sandboxRoutes(app, { ...sandbox, publicUrl })
  sandboxStrategyStateRoutes(app, sandbox)
  sandboxRpcRoute(app, sandbox)
  sandboxMailboxRoutes(app, sandbox, publicUrl)
  sandboxAgentRoutes(app, parts, sandbox.agents)
}

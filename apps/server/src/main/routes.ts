import { authenticatorOf, type IdentityParts } from '../identity/index.ts'
import type { Parts } from '../operations/index.ts'
import type { RebalanceParts } from '../rebalancing/index.ts'
import type { SandboxParts } from '../sandbox/index.ts'
import {
  allocationMoveRoutes,
  coreEventRoutes,
  coreRoutes,
  kybFormRoutes,
  operationDecisionRoutes,
  rampEventRoutes,
  rebalancePreviewRoute,
  sandboxRpcRoute,
  strategyCapRoutes,
  webhookDeliveryRoutes,
  webhookRoutes,
} from '../surfaces/core/index.ts'
import type { App } from '../surfaces/http/index.ts'
import { rampRoutes, sandboxRoutes, v1EventRoutes, v1Routes } from '../surfaces/v1/index.ts'
import { createEventFeed, type WebhookParts } from '../webhooks/index.ts'
import type { RampStarted } from './ramp.ts'

export interface ServedParts {
  readonly parts: Parts & IdentityParts
  readonly webhooks: WebhookParts
  readonly rebalancing: RebalanceParts['rebalancing']
  readonly ramping: RampStarted
  /** Undefined in live, where nothing of the sandbox is served. */
  readonly sandbox: SandboxParts | undefined
  readonly publicUrl: string
  /** What is announced, but not there without it (decisions 14). */
  readonly preview?: boolean
}

/** Every route of both surfaces, for the service itself and for whatever examines it in its own process. */
export function serveRoutes(
  app: App,
  { parts, webhooks, rebalancing, ramping, sandbox, publicUrl, preview = false }: ServedParts,
): void {
  v1Routes(app, parts, publicUrl)
  coreRoutes(app, parts, preview)
  operationDecisionRoutes(app, parts)
  allocationMoveRoutes(app, { ...parts, rebalancing })
  strategyCapRoutes(app, { ...parts, rebalancing })
  rebalancePreviewRoute(app, { ...parts, rebalancing })
  webhookRoutes(app, webhooks)
  webhookDeliveryRoutes(app, webhooks)
  const events = { db: parts.db, feed: createEventFeed(parts), authenticate: authenticatorOf(parts) }
  coreEventRoutes(app, events)
  v1EventRoutes(app, events)
  rampRoutes(app, ramping.ramp, publicUrl)
  rampEventRoutes(app, ramping.ramp)
  if (ramping.kybForm) kybFormRoutes(app, ramping.kybForm)
  if (!sandbox) return
  sandboxRoutes(app, { ...sandbox, publicUrl })
  sandboxRpcRoute(app, sandbox)
}

import { authenticatorOf, type IdentityParts } from '../identity/index.ts'
import type { Parts } from '../operations/index.ts'
import type { RebalanceParts } from '../rebalancing/index.ts'
import type { SandboxParts } from '../sandbox/index.ts'
import {
  allocationMoveRoutes,
  coreEventRoutes,
  coreRoutes,
  operationDecisionRoutes,
  rebalancePreviewRoute,
  sandboxRpcRoute,
  webhookDeliveryRoutes,
  webhookRoutes,
} from '../surfaces/core/index.ts'
import type { App } from '../surfaces/http/index.ts'
import { sandboxRoutes, v1EventRoutes, v1Routes } from '../surfaces/v1/index.ts'
import { createEventFeed, type WebhookParts } from '../webhooks/index.ts'

export interface ServedParts {
  readonly parts: Parts & IdentityParts
  readonly webhooks: WebhookParts
  readonly rebalancing: RebalanceParts['rebalancing']
  /** Undefined in live, where nothing of the sandbox is served. */
  readonly sandbox: SandboxParts | undefined
  readonly publicUrl: string
}

/** Every route of both surfaces, for the service itself and for whatever examines it in its own process. */
export function serveRoutes(app: App, { parts, webhooks, rebalancing, sandbox, publicUrl }: ServedParts): void {
  v1Routes(app, parts, publicUrl)
  coreRoutes(app, parts)
  operationDecisionRoutes(app, parts)
  allocationMoveRoutes(app, { ...parts, rebalancing })
  rebalancePreviewRoute(app, { ...parts, rebalancing })
  webhookRoutes(app, webhooks)
  webhookDeliveryRoutes(app, webhooks)
  const events = { db: parts.db, feed: createEventFeed(parts), authenticate: authenticatorOf(parts) }
  coreEventRoutes(app, events)
  v1EventRoutes(app, events)
  if (!sandbox) return
  sandboxRoutes(app, { ...sandbox, publicUrl })
  sandboxRpcRoute(app, sandbox)
}

import type { IdentityParts } from '../../identity/index.ts'
import type { App } from '../http/index.ts'
import { apiKeyRoutes } from './api-keys.ts'
import { authRoutes } from './auth.ts'
import { memberRoutes } from './members.ts'
import { organizationRoutes } from './organization.ts'
import { walletProfileRoutes } from './wallet-profiles.ts'

export { sandboxRpcRoute } from './sandbox-rpc.ts'

/** Every route of the core surface. */
export function coreRoutes(app: App, parts: IdentityParts): void {
  authRoutes(app, parts)
  memberRoutes(app, parts)
  organizationRoutes(app, parts)
  apiKeyRoutes(app, parts)
  walletProfileRoutes(app, parts)
}

import type { IdentityParts } from '../identity/index.ts'
import type { Parts } from '../operations/index.ts'
import type { SandboxParts } from '../sandbox/index.ts'
import { coreRoutes, sandboxRpcRoute } from '../surfaces/core/index.ts'
import type { App } from '../surfaces/http/index.ts'
import { sandboxRoutes, v1Routes } from '../surfaces/v1/index.ts'

export interface ServedParts {
  readonly parts: Parts & IdentityParts
  /** Undefined in live, where nothing of the sandbox is served. */
  readonly sandbox: SandboxParts | undefined
  readonly publicUrl: string
}

/** Every route of both surfaces, for the service itself and for whatever examines it in its own process. */
export function serveRoutes(app: App, { parts, sandbox, publicUrl }: ServedParts): void {
  v1Routes(app, parts, publicUrl)
  coreRoutes(app, parts)
  if (!sandbox) return
  sandboxRoutes(app, { ...sandbox, publicUrl })
  sandboxRpcRoute(app, sandbox)
}

import { extendTransact, type Transact, transactOn } from '../database/index.ts'
import { type ApiKeyWithSecret, generateKey, type IdentityParts } from '../identity/index.ts'
import type { SandboxAgent, SandboxAgents } from './agents/sandbox-agents.ts'

export type StartAgentParts = Pick<IdentityParts, 'db' | 'clock' | 'random' | 'secrets' | 'environment' | 'quotas'> & {
  readonly agents: SandboxAgents
}

export interface StartAgentRequest {
  readonly organizationId: number
  readonly name: string
  /** The user who asks for it. */
  readonly createdBy: number
}

/**
 * Makes an API key with the permission `agent` and starts a custody agent with it. Its folder is written within the
 * transaction, its process started after the commit: after a crash between the two, the next start of the service starts
 * it, and a folder whose key was not committed is never used.
 *
 * Errors: those of `reserve`; VALIDATION_ERROR (the name), CONFLICT (the quota of API keys).
 */
export async function startSandboxAgent(
  parts: StartAgentParts,
  request: StartAgentRequest,
  transact: Transact<SandboxAgent> = transactOn(parts.db),
): Promise<SandboxAgent> {
  const place = parts.agents.reserve(request.organizationId)
  const withFolder = extendTransact(transact, async (_tx, { id, name, createdAt, apiKey }: ApiKeyWithSecret) =>
    place.prepare({ id, organizationId: request.organizationId, name, createdAt }, apiKey),
  )
  try {
    await generateKey(parts, { ...request, permissions: ['agent'] }, withFolder)
  } catch (error) {
    place.release()
    throw error
  }
  return place.take()
}

import { type Transact, transactOn } from '../database/index.ts'
import { deleteKey, type IdentityParts } from '../identity/index.ts'
import type { SandboxAgents } from './agents/sandbox-agents.ts'

export type StopAgentParts = Pick<IdentityParts, 'db' | 'clock'> & { readonly agents: SandboxAgents }

/**
 * Stops an agent for good: it finishes the work in hand, and its API key is revoked, unless that happened before. The
 * keys of its wallets stay in its folder. If the key cannot be revoked, the agent continues. Error: NOT_FOUND.
 */
export async function stopSandboxAgent(
  parts: StopAgentParts,
  { organizationId, agentId }: { readonly organizationId: number; readonly agentId: number },
  transact: Transact<void> = transactOn(parts.db),
): Promise<void> {
  const agent = parts.agents.require(organizationId, agentId)
  await agent.stop()
  try {
    if (await agent.isAccepted()) await deleteKey(parts, organizationId, agentId, transact)
    else await transact(async () => undefined)
  } catch (error) {
    agent.start()
    throw error
  }
  agent.retire()
}

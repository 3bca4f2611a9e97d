import type { Database, Tx } from '../../../database/index.ts'
import { Failure } from '../../../kernel/index.ts'
import { type AgentWork, agentWorkFrom } from '../states/agent-work.ts'

/** Error: TRANSACTION_NOT_FOUND, even for a client's transaction, which has no agent work. */
export async function readAgentWork(
  db: Database | Tx,
  organizationId: number,
  transactionId: number,
): Promise<AgentWork> {
  const row = await db
    .selectFrom('agent_work')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('transaction_id', '=', transactionId)
    .executeTakeFirst()
  if (!row) throw new Failure('TRANSACTION_NOT_FOUND')
  return agentWorkFrom(row)
}

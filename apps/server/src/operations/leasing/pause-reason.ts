import type { Parts } from '../lifecycle/parts.ts'
import { type AgentWork, agentWorkFrom } from '../lifecycle/states/agent-work.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { lastFailureText } from './agent-reports.ts'

/**
 * Why agents do not get the operation's next transaction now, for people: what the latest check found, or that an agent
 * reported a failure while its bytes may still land. `null` if nothing blocks it.
 */
export async function pauseReason(
  { db }: Pick<Parts, 'db'>,
  { organizationId, operationId, executor, state }: Operation,
): Promise<string | null> {
  if (executor !== 'agent' || state !== 'EXECUTING') return null
  const next = await db
    .selectFrom('agent_work')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('operation_id', '=', operationId)
    .where('stage', 'in', ['ready', 'leased', 'paused', 'withheld'])
    .orderBy('position')
    .executeTakeFirst()
  return next ? reasonForWork(agentWorkFrom(next)) : null
}

/** A lease clears the reason, so a stored one always describes the latest check, even while the next one runs. */
function reasonForWork(work: AgentWork): string | null {
  if (work.stage === 'withheld')
    return `Its bytes are not issued again until it is known whether they landed. ${work.withheldBy === 'weir' ? work.reason : lastFailureText(work)}`
  return 'pauseReason' in work ? work.pauseReason : null
}

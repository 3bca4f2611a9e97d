import type { Operation } from '../lifecycle/operation.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { type AgentWork, lastFailureText } from './agent-work.ts'

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
    .select(['stage', 'pause_reason', 'report'])
    .where('organization_id', '=', organizationId)
    .where('operation_id', '=', operationId)
    .where('stage', 'in', ['ready', 'leased', 'paused', 'withheld'])
    .orderBy('position')
    .executeTakeFirst()
  return next ? reasonForWork(next) : null
}

/** A lease clears `pause_reason`, so a stored one is always that of the latest check, also while the next one runs. */
function reasonForWork({ stage, pause_reason, report }: Pick<AgentWork, 'stage' | 'pause_reason' | 'report'>) {
  if (stage !== 'withheld') return pause_reason
  return `Its bytes are not issued again until it is settled whether they land. ${lastFailureText(report)}`
}

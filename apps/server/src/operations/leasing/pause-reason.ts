import type { Operation } from '../lifecycle/operation.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { type AgentWork, lastFailureText } from './agent-work.ts'

/**
 * Why agents are not given the next transaction of their operation now, for people: what the last look at it found, or
 * that an agent gave it up while its bytes may still land. `null` where nothing stands in the way.
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

/** A lease that is kept forgets the reason, so whatever stands there is about the last look, also while the next is taken. */
function reasonForWork({ stage, pause_reason, report }: Pick<AgentWork, 'stage' | 'pause_reason' | 'report'>) {
  if (stage !== 'withheld') return pause_reason
  return `Nobody is given its bytes until it is settled whether they land. ${lastFailureText(report)}`
}

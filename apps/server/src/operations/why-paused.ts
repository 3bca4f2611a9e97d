import { type AgentWork, lastFailure } from './agent-work.ts'
import type { Operation } from './operation.ts'
import type { Parts } from './parts.ts'

/**
 * Why agents are not given the next transaction of their operation now, for people: what the last look at it found, or
 * that an agent gave it up while its bytes may still land. `null` where nothing stands in the way.
 */
export async function whyPaused(
  { db }: Pick<Parts, 'db'>,
  { organizationId, operationId, executor, state }: Operation,
): Promise<string | null> {
  if (executor !== 'agent' || state !== 'EXECUTING') return null
  const next = await db
    .selectFrom('agent_work')
    .select(['stage', 'paused_because', 'report'])
    .where('organization_id', '=', organizationId)
    .where('operation_id', '=', operationId)
    .where('stage', 'in', ['ready', 'leased', 'paused', 'withheld'])
    .orderBy('position')
    .executeTakeFirst()
  return next ? reasonOf(next) : null
}

/** A lease that is kept forgets the reason, so whatever stands there is about the last look, also while the next is taken. */
function reasonOf({ stage, paused_because, report }: Pick<AgentWork, 'stage' | 'paused_because' | 'report'>) {
  if (stage !== 'withheld') return paused_because
  return `Nobody is given its bytes until it is settled whether they land. ${lastFailure(report)}`
}

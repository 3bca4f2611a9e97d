import { sql } from 'kysely'
import type { Tx } from '../../database/index.ts'
import type { Operation } from '../lifecycle/operation.ts'

/**
 * Puts the transactions of an operation that is EXECUTING into the queue of its organization's agents: the first one can
 * be leased at once, each other when the one before it is in a block. Triggers move them on from here (migration 0017),
 * so that no path that settles, fails or ends anything can forget to.
 */
export async function enqueueAgentWork(
  tx: Tx,
  { organizationId, operationId }: Pick<Operation, 'organizationId' | 'operationId'>,
  at: Date,
): Promise<void> {
  await sql`
    insert into agent_work (organization_id, transaction_id, operation_id, position, blockchain, sender, stage,
      available_at, created_at)
    select organization_id, id, operation_id, position, blockchain, sender,
      case position when 0 then 'ready' else 'waiting' end, ${at}, ${at}
    from transactions where organization_id = ${organizationId} and operation_id = ${operationId}
  `.execute(tx)
}

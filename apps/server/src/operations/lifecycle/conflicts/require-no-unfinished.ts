import type { Tx } from '../../../database/index.ts'
import { Failure } from '../../../kernel/index.ts'
import { UNFINISHED } from '../states/operation-states.ts'

/** Error: CONFLICT while the organization has unfinished operations, with their number in the details. */
export async function requireNoUnfinishedOperations(tx: Tx, organizationId: number): Promise<void> {
  const { count } = await tx
    .selectFrom('operations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('state', 'in', UNFINISHED)
    .executeTakeFirstOrThrow()
  if (count === 0) return
  throw new Failure('CONFLICT', {
    message: 'The organization has unfinished operations. Cancel them, or wait until they end.',
    details: { unfinishedOperations: count },
  })
}

import { type Transact, transactOn } from '../database/index.ts'
import { Failure } from '../kernel/index.ts'
import type { DestinationParts } from './destination.ts'

/** Removes an address from the allow-list. Accounts that already send there are not closed. Error: NOT_FOUND. */
export async function removeDestination(
  parts: Pick<DestinationParts, 'db'>,
  { organizationId, destinationId }: { readonly organizationId: number; readonly destinationId: number },
  transact: Transact<void> = transactOn(parts.db),
): Promise<void> {
  await transact(async (tx) => {
    const removed = await tx
      .deleteFrom('destinations')
      .where('organization_id', '=', organizationId)
      .where('id', '=', destinationId)
      .returning('id')
      .executeTakeFirst()
    if (removed === undefined) throw new Failure('NOT_FOUND', { message: 'The address is not on the allow-list.' })
  })
}

import { type Transact, transactOn } from '../database/index.ts'
import type { DestinationParts } from './destination.ts'

/** Switches the enforcement of the allow-list on or off. Returns whether it is on. */
export async function enforceDestinations(
  parts: Pick<DestinationParts, 'db'>,
  { organizationId, enforced }: { readonly organizationId: number; readonly enforced: boolean },
  transact: Transact<boolean> = transactOn(parts.db),
): Promise<boolean> {
  return await transact(async (tx) => {
    await tx
      .insertInto('destination_lists')
      .values({ organization_id: organizationId, enforced })
      .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ enforced }))
      .execute()
    return enforced
  })
}

import { type Transact, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { viewNotFound, visibleViews } from './saved-view.ts'

/**
 * Deletes a view: its maker, and of a shared one every owner and admin. NOT_FOUND for one that the member does not see;
 * FORBIDDEN for one that somebody else shares.
 */
export async function deleteSavedView(
  parts: Pick<IdentityParts, 'db'>,
  { organizationId, userId, role }: Pick<UserCredential, 'organizationId' | 'userId' | 'role'>,
  viewId: number,
  transact: Transact<void> = transactOn(parts.db),
): Promise<void> {
  await transact(async (tx) => {
    const view = await visibleViews(tx, { organizationId, userId })
      .where('id', '=', viewId)
      .forUpdate()
      .executeTakeFirst()
    if (view === undefined) throw viewNotFound()
    if (view.created_by !== userId && role !== 'owner' && role !== 'admin')
      throw new Failure('FORBIDDEN', {
        message: 'Only the member who created a shared view, an owner or an admin may delete it.',
      })
    await tx.deleteFrom('saved_views').where('organization_id', '=', organizationId).where('id', '=', viewId).execute()
  })
}

import { type Transact, transactOn } from '../../database/index.ts'
import { savedViewUse } from '../shared/identity-use.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { requireQuota } from '../shared/require-quota.ts'
import { nameTaken, type SavedView, savedViewFrom, validatePath, validateViewFields } from './saved-view.ts'

export interface NewView {
  readonly organizationId: number
  /** Whose it is. */
  readonly userId: number
  readonly name: string
  readonly path: string
  readonly query: string
  readonly isShared: boolean
}

/** Keeps the filters of a page under a name. VALIDATION_ERROR; CONFLICT for a name in use, and at the quota. */
export async function createSavedView(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'quotas'>,
  { organizationId, userId, path, ...fields }: NewView,
  transact: Transact<SavedView> = transactOn(parts.db),
): Promise<SavedView> {
  const { name = '', query = '', isShared = false } = validateViewFields(fields)
  const at = parts.clock.now()
  const values = {
    organization_id: organizationId,
    name,
    path: validatePath(path),
    query,
    is_shared: isShared,
    created_by: userId,
    created_at: at,
    updated_at: at,
  }
  return await transact(async (tx) => {
    await requireQuota(tx, parts, { organizationId, quota: 'savedViews', use: savedViewUse })
    const row = await tx
      .insertInto('saved_views')
      .values(values)
      .onConflict((conflict) => conflict.columns(['organization_id', 'created_by', 'path', 'name']).doNothing())
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) throw nameTaken()
    return savedViewFrom(row)
  })
}

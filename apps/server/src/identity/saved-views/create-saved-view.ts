import { sql } from 'kysely'
import { type Transact, type Tx, transactOn } from '../../database/index.ts'
import { Failure, SAVED_VIEWS_SHARE_OF_MEMBER } from '../../kernel/index.ts'
import { savedViewUse } from '../shared/identity-use.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { requireQuota } from '../shared/require-quota.ts'
import { nameTaken, type SavedView, savedViewFrom, validatePath, validateViewFields } from './saved-view.ts'

export interface NewView {
  readonly organizationId: number
  /** The owner. */
  readonly userId: number
  readonly name: string
  readonly path: string
  readonly query: string
  readonly isShared: boolean
}

/**
 * Keeps the filters of a page under a name. VALIDATION_ERROR; CONFLICT for a name in use, at the quota, and at a tenth of
 * it for the views of one member.
 */
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
    const { limit } = await requireQuota(tx, parts, { organizationId, quota: 'savedViews', use: savedViewUse })
    await refuseBeyondShare(tx, { organizationId, userId }, Math.ceil(limit * SAVED_VIEWS_SHARE_OF_MEMBER))
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

/** Requests of one member take turns, so that two of them never take the same place. */
async function refuseBeyondShare(
  tx: Tx,
  { organizationId, userId }: Pick<NewView, 'organizationId' | 'userId'>,
  share: number,
): Promise<void> {
  await sql`
    select from users where organization_id = ${organizationId} and id = ${userId} for no key update
  `.execute(tx)
  const { used } = await tx
    .selectFrom('saved_views')
    .select(({ fn }) => fn.countAll<number>().as('used'))
    .where('organization_id', '=', organizationId)
    .where('created_by', '=', userId)
    .executeTakeFirstOrThrow()
  if (used < share) return
  throw new Failure('CONFLICT', {
    message: `You have ${used} of the ${share} saved views that a member may have. Delete some first.`,
    details: { reason: 'too_many_saved_views' },
  })
}

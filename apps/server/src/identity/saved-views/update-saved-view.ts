import { isUniqueViolation, type Transact, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'
import {
  nameTaken,
  type SavedView,
  savedViewFrom,
  type ViewFields,
  validateViewFields,
  viewNotFound,
  visibleViews,
} from './saved-view.ts'

interface Change {
  readonly viewId: number
  readonly fields: ViewFields
}

/**
 * Changes one of the user's own views; omitted fields keep their values. VALIDATION_ERROR; NOT_FOUND for one that the
 * member does not see; FORBIDDEN for one that somebody else shares; CONFLICT for a name in use.
 */
export async function updateSavedView(
  parts: Pick<IdentityParts, 'db' | 'clock'>,
  { organizationId, userId }: Pick<UserCredential, 'organizationId' | 'userId'>,
  { viewId, fields }: Change,
  transact: Transact<SavedView> = transactOn(parts.db),
): Promise<SavedView> {
  const { name, query, isShared } = validateViewFields(fields)
  return await transact(async (tx) => {
    const view = await visibleViews(tx, { organizationId, userId })
      .where('id', '=', viewId)
      .forUpdate()
      .executeTakeFirst()
    if (view === undefined) throw viewNotFound()
    if (view.created_by !== userId)
      throw new Failure('FORBIDDEN', { message: 'Only the member who created a view may change it.' })
    const next = { name: name ?? view.name, query: query ?? view.query, is_shared: isShared ?? view.is_shared }
    const row = await tx
      .updateTable('saved_views')
      .set({ ...next, updated_at: parts.clock.now() })
      .where('organization_id', '=', organizationId)
      .where('id', '=', viewId)
      .returningAll()
      .executeTakeFirstOrThrow()
    return savedViewFrom(row)
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? nameTaken() : error
  })
}

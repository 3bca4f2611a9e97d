import { type Page, type PageRequest, readPage } from '../shared/page.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { type SavedView, savedViewFrom, visibleViews } from './saved-view.ts'

/** The views that a member sees, their own and those that others share, newest first; of one page, if it is given. */
export async function listSavedViews(
  { db }: Pick<IdentityParts, 'db'>,
  viewer: { readonly organizationId: number; readonly userId: number },
  path: string | undefined,
  window: PageRequest,
): Promise<Page<SavedView>> {
  const visible = visibleViews(db, viewer)
  return await readPage(db, path === undefined ? visible : visible.where('path', '=', path), window, savedViewFrom)
}

import type { Selectable } from 'kysely'
import type { Database, Schema, Tx } from '../../database/index.ts'
import { Failure, SAVED_VIEW_QUERY_LENGTH_MAX, validationError } from '../../kernel/index.ts'
import { validateName } from '../shared/validate-text.ts'

/** The filters of a page of the dashboard under a name. */
export interface SavedView {
  readonly id: number
  readonly name: string
  /** The path of the page. */
  readonly path: string
  /** The part of the address behind the question mark. */
  readonly query: string
  /** Whether every member sees it, or only its creator. */
  readonly isShared: boolean
  readonly createdBy: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What its maker may change. */
export interface ViewFields {
  readonly name?: string
  readonly query?: string
  readonly isShared?: boolean
}

export function savedViewFrom(row: Selectable<Schema['saved_views']>): SavedView {
  return {
    id: row.id,
    name: row.name,
    path: row.path,
    query: row.query,
    isShared: row.is_shared,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Views of an organization that a member sees: their own, and those that others share. */
export function visibleViews(
  db: Database | Tx,
  { organizationId, userId }: { readonly organizationId: number; readonly userId: number },
) {
  return db
    .selectFrom('saved_views')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where(({ or, eb }) => or([eb('created_by', '=', userId), eb('is_shared', '=', true)]))
}

export const viewNotFound = () => new Failure('NOT_FOUND', { message: 'The view does not exist.' })

/** Error: CONFLICT, for a name that the member has on the page. */
export const nameTaken = () =>
  new Failure('CONFLICT', { message: 'You already have a view with this name on this page.' })

/** A path of the dashboard, and no other address: a view leads its readers there. */
const PAGE_FORMAT = /^\/(?:app\/[a-z][a-z-]{0,40})?$/
const QUERY_FORMAT = /^[\x21-\x7e]*$/

/** VALIDATION_ERROR if it is no page. */
export function validatePath(path: string): string {
  if (!PAGE_FORMAT.test(path)) throw validationError('path', 'must be the path of a page of the dashboard')
  return path
}

/** Checks the given fields and trims the name. VALIDATION_ERROR at the first wrong one. */
export function validateViewFields({ name, query, isShared }: ViewFields): ViewFields {
  if (query !== undefined && (query.length > SAVED_VIEW_QUERY_LENGTH_MAX || !QUERY_FORMAT.test(query)))
    throw validationError('query', `must be at most ${SAVED_VIEW_QUERY_LENGTH_MAX} characters of an encoded query`)
  return {
    ...(name === undefined ? {} : { name: validateName('name', name) }),
    ...(query === undefined ? {} : { query }),
    ...(isShared === undefined ? {} : { isShared }),
  }
}

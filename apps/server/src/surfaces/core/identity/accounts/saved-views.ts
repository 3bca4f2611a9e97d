import Type from 'typebox'
import {
  createSavedView,
  deleteSavedView,
  type IdentityParts,
  listSavedViews,
  type SavedView,
  updateSavedView,
} from '../../../../identity/index.ts'
import { NAME_LENGTH_MAX, SAVED_VIEW_PATH_LENGTH_MAX, SAVED_VIEW_QUERY_LENGTH_MAX } from '../../../../kernel/index.ts'
import {
  type App,
  envelope,
  id,
  idParams,
  ok,
  optionalPageQuery,
  pageWindowOf,
  runVerb,
  totalCount,
  userCredentialOf,
} from '../../../http/index.ts'
import { byEveryone } from '../../access.ts'
import { Deleted, dateTime, presentDeleted } from '../../schemas.ts'

const name = Type.String({
  minLength: 1,
  maxLength: NAME_LENGTH_MAX,
  description: 'Name of the view; each member uses a name once on a page.',
})
const path = Type.String({
  maxLength: SAVED_VIEW_PATH_LENGTH_MAX,
  description: 'Path of the page of the dashboard.',
  examples: ['/app/operations'],
})
const query = Type.String({
  maxLength: SAVED_VIEW_QUERY_LENGTH_MAX,
  description: 'Filters of the page: the part of its address after the question mark, encoded.',
  examples: ['tab=history&status=FAILED'],
})
const shared = Type.Boolean({ description: 'Whether every member of the organization sees it, or only its creator.' })

const ViewData = Type.Object(
  {
    id: id('View id.'),
    name,
    path,
    query,
    shared,
    createdBy: id('The user who made it.'),
    createdAt: dateTime('When it was made.'),
    updatedAt: dateTime('When it was last changed.'),
  },
  { $id: 'SavedView', description: 'The filters of a page of the dashboard under a name.' },
)

const present = ({ isShared, createdAt, updatedAt, ...view }: SavedView) => ({
  ...view,
  shared: isShared,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
const presentOne = (view: SavedView) => ok(present(view))

const tags = ['Organization']

/** Views of the dashboard: `/api/core/saved-views`. Every member keeps their own, and may share them. */
export function savedViewRoutes(app: App, parts: IdentityParts): void {
  app.get(
    '/api/core/saved-views',
    {
      config: byEveryone,
      schema: {
        tags,
        operationId: 'listSavedViews',
        summary: 'List saved views',
        description:
          'Your own views and those that other members share, newest first; all by default, or `limit` at a time. `X-Total-Count` holds the total.',
        querystring: Type.Object({
          path: Type.Optional(
            Type.String({
              maxLength: SAVED_VIEW_PATH_LENGTH_MAX,
              description: 'Only views of the page with this path.',
            }),
          ),
          ...optionalPageQuery,
        }),
        response: { 200: envelope(Type.Array(ViewData), 'The views.') },
      },
    },
    async (request, reply) => {
      const window = pageWindowOf(request.query)
      const { items, total } = await listSavedViews(parts, userCredentialOf(request), request.query.path, window)
      totalCount(reply, total)
      return ok(items.map(present))
    },
  )

  app.post(
    '/api/core/saved-views',
    {
      config: { ...byEveryone, idempotent: 'plain', audit: { details: ['data.path', 'data.shared'] } },
      schema: {
        tags,
        operationId: 'createSavedView',
        summary: 'Save a view',
        description:
          'Every member may save views, and share them. Errors: CONFLICT if you have a view of this name on this page, at the quota of views, and at a tenth of it for your own.',
        body: Type.Object({ name, path, query, shared: Type.Optional({ ...shared, default: false }) }),
        response: { 201: envelope(ViewData, 'The new view.') },
      },
    },
    async (request, reply) => {
      const { organizationId, userId } = userCredentialOf(request)
      const { shared: isShared = false, ...body } = request.body
      const view = { ...body, isShared, organizationId, userId }
      return runVerb(reply, 201, presentOne, (transact) => createSavedView(parts, view, transact))
    },
  )

  app.patch(
    '/api/core/saved-views/:id',
    {
      config: { ...byEveryone, audit: { details: ['data.path', 'data.shared'] } },
      schema: {
        tags,
        operationId: 'changeSavedView',
        summary: 'Change a saved view',
        description:
          'Omitted fields keep their values. Errors: NOT_FOUND for a view that you do not see; FORBIDDEN for one that another member made; CONFLICT if you have another view of this name on its page.',
        params: idParams('View id.'),
        body: Type.Object({ name: Type.Optional(name), query: Type.Optional(query), shared: Type.Optional(shared) }),
        response: { 200: envelope(ViewData, 'The view.') },
      },
    },
    async (request, reply) => {
      const { shared: isShared, ...body } = request.body
      const fields = { ...body, ...(isShared === undefined ? {} : { isShared }) }
      const change = { viewId: request.params.id, fields }
      const credential = userCredentialOf(request)
      return runVerb(reply, 200, presentOne, (transact) => updateSavedView(parts, credential, change, transact))
    },
  )

  app.delete(
    '/api/core/saved-views/:id',
    {
      config: byEveryone,
      schema: {
        tags,
        operationId: 'deleteSavedView',
        summary: 'Delete a saved view',
        description:
          'A view of your own; owners and admins also delete views that others share. Errors: NOT_FOUND for a view that you do not see; FORBIDDEN.',
        params: idParams('View id.'),
        response: { 200: envelope(Deleted, 'The view was deleted.') },
      },
    },
    async (request, reply) => {
      const credential = userCredentialOf(request)
      return runVerb(reply, 200, presentDeleted, (transact) =>
        deleteSavedView(parts, credential, request.params.id, transact),
      )
    },
  )
}

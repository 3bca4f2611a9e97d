import Type from 'typebox'
import { type AuditLogRecord, type IdentityParts, listAuditLog } from '../../../../identity/index.ts'
import { LIST_LIMIT_DEFAULT } from '../../../../kernel/index.ts'
import { type App, envelope, id, ok, pageQuery, userCredentialOf } from '../../../http/index.ts'
import { byAdmins } from '../../access.ts'
import { orNull } from '../../formats.ts'
import { Pagination, paginationOf } from '../../pagination.ts'
import { dateTime } from '../../schemas.ts'
import { ACTOR_REFERENCE, actorFrom, referenceFrom } from '../shared/references.ts'

const hash = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description })

const AuditEntryData = Type.Object(
  {
    id: Type.Integer({
      minimum: 1,
      description: 'Sequence number of the entry in the organization: 1, 2, 3, without gaps.',
    }),
    at: dateTime('When the action occurred.'),
    actor: Type.Object(
      {
        type: Type.Enum(['user', 'key', 'system', 'service_account'], {
          description: 'A member, an API key, the service itself, or a service account.',
        }),
        id: orNull(id('Id of the member or the key.'), 'Id of the member or the key; null for the service.'),
        name: orNull(
          Type.String(),
          'Current email address of the member or name of the key; not part of the hash chain.',
        ),
      },
      { description: 'Who performed the action.' },
    ),
    action: Type.String({
      description: 'The `operationId` of the request in this reference.',
      examples: ['changeApprovalPolicy'],
    }),
    object: Type.Object(
      {
        type: Type.String({ description: 'Type of the object.', examples: ['approval_policy'] }),
        id: orNull(id('Object id.'), 'Object id; null if it has none.'),
      },
      { description: 'The object of the action.' },
    ),
    from: orNull(Type.String(), 'The network address that the request came from; null for the service.'),
    details: orNull(
      Type.Record(Type.String(), Type.Unknown()),
      'Further details, never secrets; null if there are none.',
    ),
    previousHash: hash('Hash of the previous entry; 64 zeros for the first.'),
    hash: hash('SHA-256 of all fields above, including the previous hash, except the name of the actor.'),
  },
  { $id: 'AuditEntry', description: 'Who did what to which object, when, and from where.' },
)

const AuditLogPage = Type.Object(
  { entries: Type.Array(AuditEntryData, { description: 'Newest first.' }), pagination: Pagination },
  { $id: 'AuditLogPage', description: 'A page of the audit log.' },
)

const presentEntry = (entry: AuditLogRecord) => ({
  id: entry.id,
  at: entry.at.toISOString(),
  actor: { ...entry.actor, name: entry.actorName },
  action: entry.action,
  object: { type: entry.objectType, id: entry.objectId },
  from: entry.from,
  details: entry.details === null ? null : (JSON.parse(entry.details) as Record<string, unknown>),
  previousHash: entry.previousHash.toString('hex'),
  hash: entry.hash.toString('hex'),
})

/** Who did what: `/api/core/audit-log` (contract 7). */
export function auditLogRoutes(app: App, parts: IdentityParts): void {
  app.get(
    '/api/core/audit-log',
    {
      config: byAdmins,
      schema: {
        tags: ['Audit log'],
        operationId: 'listAuditLog',
        summary: 'List the audit log',
        description:
          'Every request that changed something, on core, on v1 and by custody agents, newest first. An entry is written in the same database transaction as the change. Entries are chained by hash and never changed or deleted; `weir audit verify` verifies the chain.',
        querystring: Type.Object({
          ...pageQuery,
          action: Type.Optional(Type.String({ minLength: 1, description: 'Only this action.' })),
          notAction: Type.Optional(
            Type.String({
              minLength: 1,
              description: 'All but this action, such as `pollTransactions` of your agents.',
            }),
          ),
          actor: Type.Optional(ACTOR_REFERENCE),
          object: Type.Optional(
            Type.String({
              description: 'Only this object, such as `member:12`, or all objects of a type, such as `member`.',
            }),
          ),
          from: Type.Optional(dateTime('Only entries at or after this time.')),
          to: Type.Optional(dateTime('Only entries before this time.')),
        }),
        response: { 200: envelope(AuditLogPage, 'The entries.') },
      },
    },
    async (request) => {
      const { limit = LIST_LIMIT_DEFAULT, offset = 0, action, notAction, actor, object, from, to } = request.query
      const filter = {
        action,
        notAction,
        actor: actor === undefined ? undefined : actorFrom(actor),
        object: object === undefined ? undefined : referenceFrom('object', object),
        since: from === undefined ? undefined : new Date(from),
        until: to === undefined ? undefined : new Date(to),
      }
      const window = { limit, offset }
      const { items, total } = await listAuditLog(parts, userCredentialOf(request).organizationId, filter, window)
      return ok({ entries: items.map(presentEntry), pagination: paginationOf(window, total, items.length) })
    },
  )
}

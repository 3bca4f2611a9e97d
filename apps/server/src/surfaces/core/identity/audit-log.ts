import Type from 'typebox'
import { type AuditLogRecord, type IdentityParts, listAuditLog } from '../../../identity/index.ts'
import { LIST_LIMIT_DEFAULT, validationError } from '../../../kernel/index.ts'
import { type App, envelope, id, ok, pageQuery, userCredentialOf } from '../../http/index.ts'
import { byAdmins } from '../access.ts'
import { orNull } from '../formats.ts'
import { Pagination, paginationOf } from '../pagination.ts'
import { dateTime } from '../schemas.ts'

const ACTORS = ['user', 'key', 'system'] as const
const hash = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description })

const AuditEntryData = Type.Object(
  {
    id: Type.Integer({ minimum: 1, description: 'The how-manieth entry of the organization: 1, 2, 3, without gaps.' }),
    at: dateTime('When it happened.'),
    actor: Type.Object(
      {
        type: Type.Enum([...ACTORS], { description: 'A member, an API key, or the service by itself.' }),
        id: orNull(id('Id of the member or the key.'), 'Id of the member or the key; null for the service.'),
        name: orNull(
          Type.String(),
          'E-mail address of the member or name of the key, as they are now; not part of the chain.',
        ),
      },
      { description: 'Who did it.' },
    ),
    action: Type.String({
      description: 'What was done: the `operationId` of the request in this reference.',
      examples: ['changeApprovalPolicy'],
    }),
    object: Type.Object(
      {
        type: Type.String({ description: 'What kind of thing it was done to.', examples: ['approval_policy'] }),
        id: orNull(id('Its id.'), 'Its id; null for what has none.'),
      },
      { description: 'What it was done to.' },
    ),
    from: orNull(Type.String(), 'The network address that the request came from; null for the service.'),
    details: orNull(
      Type.Record(Type.String(), Type.Unknown()),
      'What else is worth knowing, never a secret; null when there is nothing.',
    ),
    previousHash: hash('Hash of the entry before; 64 zeros for the first.'),
    hash: hash('SHA-256 of everything above, except the name of the actor, and of the hash before.'),
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
          'Every request on the core surface that changed something, written in the same database transaction as its effect, newest first. Entries are chained by hash and are never changed or removed; `npm run audit:verify` proves it.',
        querystring: Type.Object({
          ...pageQuery,
          action: Type.Optional(Type.String({ minLength: 1, description: 'Only this action.' })),
          actor: Type.Optional(
            Type.String({
              description: 'Only this actor: `user:3`, `key:5`, or all of a kind: `user`, `key`, `system`.',
            }),
          ),
          object: Type.Optional(
            Type.String({ description: 'Only this object: `member:12`, or all of a kind: `member`.' }),
          ),
          from: Type.Optional(dateTime('Only what happened then or later.')),
          to: Type.Optional(dateTime('Only what happened before then.')),
        }),
        response: { 200: envelope(AuditLogPage, 'The entries.') },
      },
    },
    async (request) => {
      const { limit = LIST_LIMIT_DEFAULT, offset = 0, action, actor, object, from, to } = request.query
      const filter = {
        action,
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

function actorFrom(text: string): { type: (typeof ACTORS)[number]; id?: number | undefined } {
  const { type, id: actorId } = referenceFrom('actor', text)
  const known = ACTORS.find((one) => one === type)
  if (known === undefined) throw validationError('actor', `must begin with one of: ${ACTORS.join(', ')}`)
  return { type: known, id: actorId }
}

/** `member:12` or `member`. Error: VALIDATION_ERROR. */
function referenceFrom(path: string, text: string): { type: string; id?: number | undefined } {
  const match = /^([a-z_]{1,40})(?::([0-9]{1,15}))?$/i.exec(text)
  if (!match) throw validationError(path, 'must be a kind, or a kind and an id such as member:12')
  const [, type = '', number] = match
  return { type: type.toLowerCase(), id: number === undefined ? undefined : Number(number) }
}

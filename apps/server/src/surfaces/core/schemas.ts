import Type from 'typebox'
import { createdBy, dateTime, ok } from '../http/index.ts'
import { orNull } from './formats.ts'

export { dateTime } from '../http/index.ts'

/** Response of a DELETE (spec 4.1). */
export const Deleted = Type.Object(
  { deleted: Type.Literal(true, { description: 'Always true.' }) },
  { $id: 'Deleted', description: 'The object was deleted.' },
)

export const presentDeleted = () => ok({ deleted: true as const })

export const EndedSessions = Type.Object(
  { ended: Type.Integer({ minimum: 0, description: 'How many sessions ended.' }) },
  { $id: 'EndedSessions', description: 'Sessions were ended.' },
)

export const presentEnded = (ended: number) => ok({ ended })

export const ROLES = ['owner', 'admin', 'approver', 'viewer'] as const
/** Role of a member (contract 3). */
export const RoleName = Type.Enum([...ROLES], {
  $id: 'Role',
  description:
    'viewer: read-only. approver: can also approve and reject operations. admin: can also manage keys, wallets, policy, webhooks and members. owner: can also add and remove owners.',
})

/** In a change that replaces something whole: what its author read (contract 7). */
export const basedOnVersion = Type.Optional(
  Type.Integer({
    minimum: 0,
    description:
      '`version` of what you change. If it differs from the version in force, the request fails with 409 CONFLICT (`details.reason` `changed_meanwhile`).',
  }),
)

/** For settings that are replaced as a whole and may never have been set. */
export const basedOnUpdatedAt = Type.Optional(
  orNull(
    dateTime('When they were set.'),
    '`updatedAt` of what you change; null if it was null. If it differs from the current value, the request fails with 409 CONFLICT (`details.reason` `changed_meanwhile`).',
  ),
)

/** The time in such a field; `null`: never. */
export const basedOnFrom = (text: string | null | undefined): Date | null | undefined =>
  typeof text === 'string' ? new Date(text) : text

/** Who created an object. Absent from responses of earlier versions. */
export const CreatedBy = Type.Union([createdBy('Who created it.'), Type.Null()], {
  description: 'Who created it; null for objects of earlier versions.',
})

import Type from 'typebox'
import { ok } from '../http/index.ts'

/** Core times are ISO strings (contract 1). */
export const dateTime = (description: string) => Type.String({ format: 'date-time', description })

/** What a DELETE answers with (spec 4.1). */
export const Deleted = Type.Object(
  { deleted: Type.Literal(true, { description: 'Always true.' }) },
  { $id: 'Deleted', description: 'It is gone.' },
)

export const presentDeleted = () => ok({ deleted: true as const })

/** What a member may do (contract 3). */
export const RoleName = Type.Enum(['owner', 'admin', 'approver', 'viewer'], {
  $id: 'Role',
  description:
    'A viewer reads; an approver also approves and rejects operations; an admin also manages keys, wallets, policy, webhooks and members; an owner also makes and removes owners.',
})

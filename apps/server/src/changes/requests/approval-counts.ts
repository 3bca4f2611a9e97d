import { type RawBuilder, sql } from 'kysely'
import { APPROVER_ROLES, ROLES_BY_RIGHTS } from '../../identity/index.ts'

/**
 * Whether the decision of a `member` counts for a `request`, in SQL over rows of these names: the member is still there
 * and may approve, did not request the change, and gets no more rights by it.
 */
export const approvalCounts = (): RawBuilder<boolean> => sql<boolean>`(
  member.removed_at is null and member.role = any(${APPROVER_ROLES}::text[])
  and member.id is distinct from request.requester_user_id
  and (
    member.id is distinct from request.concerned_user_id or request.given_role is null
    or array_position(${ROLES_BY_RIGHTS}::text[], request.given_role)
      <= array_position(${ROLES_BY_RIGHTS}::text[], member.role)
  )
)`

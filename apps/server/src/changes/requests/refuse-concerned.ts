import type { Tx } from '../../database/index.ts'
import { isHigherRole } from '../../identity/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { ChangeRequest } from './change-request.ts'

/** FORBIDDEN for the member whom the change is about: they could stop their own removal forever. */
export function refuseConcerned({ id: changeRequestId, concernedUserId }: ChangeRequest, userId: number): void {
  if (userId !== concernedUserId) return
  throw new Failure('FORBIDDEN', {
    message: 'This change is about you; another member decides whether to reject it.',
    details: { reason: 'change_concerns_you', changeRequestId },
  })
}

/** FORBIDDEN for a member to whom the change gives more rights than they have now. What takes rights they may approve. */
export async function refuseOwnRise(tx: Tx, request: ChangeRequest, userId: number): Promise<void> {
  const { id: changeRequestId, organizationId, concernedUserId, givenRole } = request
  if (userId !== concernedUserId || givenRole === null) return
  const member = await tx
    .selectFrom('users')
    .select('role')
    .where('organization_id', '=', organizationId)
    .where('id', '=', userId)
    .executeTakeFirst()
  if (member !== undefined && !isHigherRole(givenRole, member.role)) return
  throw new Failure('FORBIDDEN', {
    message: 'This change would give you more rights; another member must approve it.',
    details: { reason: 'change_concerns_you', changeRequestId },
  })
}

import type { Tx } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'

/**
 * FORBIDDEN for a member who may not approve yet: they must have replaced a password that somebody else set, and a day
 * must have passed since then, or since another act of others by which they can approve (ADR 105).
 */
export async function requireApprover(
  tx: Tx,
  at: Date,
  { organizationId, userId }: { readonly organizationId: number; readonly userId: number },
): Promise<void> {
  const member = await tx
    .selectFrom('users')
    .select(['password_change_required', 'approves_after'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', userId)
    .executeTakeFirst()
  if (member?.password_change_required) {
    throw new Failure('FORBIDDEN', { message: 'Set your own password first; then you can approve.' })
  }
  const { approves_after: from = null } = member ?? {}
  if (from === null || from <= at) return
  throw new Failure('FORBIDDEN', {
    message: `You joined, got this role, or had your sign-in changed in the last 24 hours. You can approve from ${from.toISOString()}.`,
  })
}

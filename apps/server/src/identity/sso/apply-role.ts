import type { Role, Tx } from '../../database/index.ts'
import { appendAuditEntry } from '../audit/append-audit-entry.ts'
import { hasAnotherOwner } from '../members/member-rules.ts'
import type { SsoProvider } from './provider.ts'

export interface RoleToApply {
  readonly provider: SsoProvider
  readonly member: { readonly id: number; readonly role: Role }
  /** `undefined` leaves the role as it is. */
  readonly role: Role | undefined
}

/**
 * Gives a member the role of their claims. An owner stays one where claims cannot make owners, if they are the last one,
 * and if they are the provider's break-glass owner. The organization must be locked.
 */
export async function applyRole(
  tx: Tx,
  context: { readonly organizationId: number; readonly at: Date; readonly from: string | null },
  { provider, member, role }: RoleToApply,
): Promise<void> {
  const { organizationId, at, from } = context
  if (role === undefined || role === member.role) return
  if (member.role === 'owner' && (await staysOwner(tx, organizationId, { provider, member }))) return
  await tx
    .updateTable('users')
    .set({ role })
    .where('organization_id', '=', organizationId)
    .where('id', '=', member.id)
    .execute()
  await appendAuditEntry(tx, {
    organizationId,
    actor: { type: 'system', id: null },
    action: 'changeRoleBySso',
    objectType: 'member',
    objectId: member.id,
    from,
    at,
    details: { before: member.role, role, provider: provider.id },
  })
}

async function staysOwner(
  tx: Tx,
  organizationId: number,
  { provider, member }: Omit<RoleToApply, 'role'>,
): Promise<boolean> {
  if (!provider.allowOwner || provider.breakGlassMemberId === member.id) return true
  return !(await hasAnotherOwner(tx, organizationId, member.id))
}

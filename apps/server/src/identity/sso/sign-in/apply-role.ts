import type { Role, Tx } from '../../../database/index.ts'
import { appendAuditEntry } from '../../audit/append-audit-entry.ts'
import { pausedApproval } from '../../members/assign-password.ts'
import { APPROVER_ROLES, isHigherRole } from '../../members/member.ts'
import { hasAnotherOwner } from '../../members/member-rules.ts'
import type { AssignedPasswords } from '../../shared/parts.ts'
import type { RoleRules } from '../parts.ts'
import type { SsoProvider } from '../providers/provider.ts'

export interface RoleToApply {
  readonly provider: SsoProvider
  readonly member: { readonly id: number; readonly role: Role }
  /** `undefined` leaves the role as it is. */
  readonly role: Role | undefined
}

/** Why the claims of a member did not change their role. */
export type RoleRefusal = 'role_needs_approval' | 'too_few_approvers'

interface RoleContext {
  readonly organizationId: number
  readonly at: Date
  readonly from: string | null
  readonly rules: RoleRules
  readonly assignedPasswords: AssignedPasswords
}

/**
 * Gives a member the role of their claims. An owner stays one if they are the last one, and if they are the provider's
 * break-glass owner; where claims cannot make owners, none comes here. Where a change of members needs approval, claims raise no role; and
 * they lower none if too few members could approve then. Returns why the role stayed; `undefined` if it did not have to.
 * The organization must be locked.
 */
export async function applyRole(
  tx: Tx,
  context: RoleContext,
  { provider, member, role }: RoleToApply,
): Promise<RoleRefusal | undefined> {
  const { organizationId, at, from, assignedPasswords } = context
  if (role === undefined || role === member.role) return undefined
  if (member.role === 'owner' && (await staysOwner(tx, organizationId, { provider, member }))) return undefined
  const refusal = await refusalOf(tx, context, { member, to: role })
  if (refusal !== undefined) return refusal
  const becomesApprover = APPROVER_ROLES.includes(role) && !APPROVER_ROLES.includes(member.role)
  await tx
    .updateTable('users')
    .set({ role, ...(becomesApprover ? pausedApproval(assignedPasswords, at) : {}) })
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
  return undefined
}

async function refusalOf(
  tx: Tx,
  { organizationId, rules }: Pick<RoleContext, 'organizationId' | 'rules'>,
  { member: { id, role: from }, to }: { readonly member: RoleToApply['member']; readonly to: Role },
): Promise<RoleRefusal | undefined> {
  if (isHigherRole(to, from)) return (await rules.needApproval(tx, organizationId)) ? 'role_needs_approval' : undefined
  if (APPROVER_ROLES.includes(to) || !APPROVER_ROLES.includes(from)) return undefined
  return (await rules.canSpareApprover(tx, organizationId, id)) ? undefined : 'too_few_approvers'
}

async function staysOwner(
  tx: Tx,
  organizationId: number,
  { provider, member }: Omit<RoleToApply, 'role'>,
): Promise<boolean> {
  if (provider.breakGlassMemberId === member.id) return true
  return !(await hasAnotherOwner(tx, organizationId, member.id))
}

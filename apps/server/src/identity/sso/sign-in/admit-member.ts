import { type Role, type Transact, transactOn } from '../../../database/index.ts'
import { validationError } from '../../../kernel/index.ts'
import { addressInUse, findAddressHolder } from '../../addresses/release-address.ts'
import { insertUser } from '../../members/add-member.ts'
import type { Member } from '../../members/member.ts'
import { refuseOwnerRole } from '../../members/member-rules.ts'
import { NO_PASSWORD } from '../../members/password.ts'
import type { UserCredential } from '../../shared/credential.ts'
import { domainOfEmail } from '../../shared/email-domain.ts'
import { memberUse } from '../../shared/identity-use.ts'
import { lockOrganization } from '../../shared/lock-organization.ts'
import { requireQuota } from '../../shared/require-quota.ts'
import { validateEmail, validateName } from '../../shared/validate-text.ts'
import { takeAddressOfDomain } from '../domains/take-address.ts'
import type { SsoParts } from '../parts.ts'

export interface AdmittedMember {
  readonly email: string
  readonly name?: string | undefined
  readonly role: Role
  /** Takes the address over from a member of another organization who never proved it. */
  readonly takeAddress?: boolean | undefined
}

/**
 * Adds a member who signs in by single sign-on and has no password; also the way back for a member who was removed.
 * VALIDATION_ERROR at `email` unless the organization proved its domain and a provider has it, FORBIDDEN when an admin
 * adds an owner, CONFLICT for an email in use (`address_unproved` if `takeAddress` would take it) and at the quota.
 */
export async function admitMember(
  parts: Pick<SsoParts, 'db' | 'clock' | 'quotas' | 'log' | 'secrets' | 'mail'>,
  actor: UserCredential,
  input: AdmittedMember,
  transact: Transact<Member> = transactOn(parts.db),
): Promise<Member> {
  const email = validateEmail(input.email)
  const name = input.name === undefined ? null : validateName('name', input.name)
  refuseOwnerRole(actor, input.role)
  return await transact(async (tx) => {
    const { organizationId } = actor
    await lockOrganization(tx, organizationId)
    const domain = await tx
      .selectFrom('sso_domains')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('domain', '=', domainOfEmail(email) ?? '')
      .where('provider_id', 'is not', null)
      .executeTakeFirst()
    if (domain === undefined)
      throw validationError('email', 'must belong to a domain of one of the organization’s identity providers')
    await requireQuota(tx, parts, { organizationId, quota: 'members', use: memberUse })
    const holder = await findAddressHolder(tx, email)
    if (holder?.organizationId === organizationId) throw addressInUse()
    await takeAddressOfDomain(tx, parts, { email, takeAddress: input.takeAddress ?? false })
    const user = { organizationId, email, name, role: input.role, passwordHash: NO_PASSWORD }
    const member = await insertUser(tx, parts, user)
    if (member === undefined) throw addressInUse()
    return member
  })
}

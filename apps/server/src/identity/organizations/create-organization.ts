import type { Tx } from '../../database/index.ts'
import { type Clock, Failure } from '../../kernel/index.ts'
import { insertUser } from '../members/add-member.ts'
import { refusePasswordAccount } from '../members/sso-requirement.ts'
import { insertProfile } from '../profiles/create-profile.ts'
import type { Account } from '../sessions/session.ts'

/** All fields are checked and normalized. */
export interface NewOrganization {
  readonly name: string
  readonly owner: {
    readonly email: string
    readonly name: string | null
    readonly passwordHash: string
    /** When the owner proved the address; absent: not yet. */
    readonly verifiedAt?: Date
  }
}

/**
 * Creates an organization with its owner and the `default` wallet profile, which it always has (contract 3). CONFLICT
 * when the email is already in use, FORBIDDEN (`sso_required`) if its domain requires single sign-on.
 */
export async function createOrganization(
  tx: Tx,
  parts: { readonly clock: Clock },
  input: NewOrganization,
): Promise<Account & { readonly defaultProfileId: number }> {
  await refusePasswordAccount(tx, input.owner.email, parts.clock.now())
  const organization = await tx
    .insertInto('organizations')
    .values({ name: input.name, created_at: parts.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const user = await insertUser(tx, parts, { organizationId: organization.id, role: 'owner', ...input.owner })
  if (user === undefined) throw new Failure('CONFLICT', { message: 'This email address is already in use.' })
  const profile = await insertProfile(tx, parts, { organizationId: organization.id, name: 'default', isDefault: true })
  return {
    user: { id: user.id, email: user.email, name: user.name, role: user.role },
    organization: { id: organization.id, name: input.name },
    defaultProfileId: profile.id,
  }
}

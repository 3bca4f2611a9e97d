import { inTransaction } from '../database/index.ts'
import { createOrganization } from './create-organization.ts'
import type { Finish, IdentityParts } from './parts.ts'
import { hashPassword } from './password.ts'
import { openSession, type SignedIn } from './session.ts'
import { checkedEmail, checkedName } from './text.ts'

export interface Registration {
  readonly email: string
  readonly password: string
  readonly name?: string
  readonly organizationName: string
}

/**
 * A new organization, its first user as owner, its default profile, and a session (decisions 3). VALIDATION_ERROR for a
 * malformed field, CONFLICT for an e-mail in use.
 */
export async function register(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'random' | 'secrets' | 'environment'>,
  input: Registration,
  finish?: Finish<SignedIn>,
): Promise<SignedIn> {
  const email = checkedEmail(input.email)
  const name = input.name === undefined ? null : checkedName('name', input.name)
  const organizationName = checkedName('organizationName', input.organizationName)
  const passwordHash = await hashPassword(input.password)
  return await inTransaction(parts.db, async (tx) => {
    const { user, organization } = await createOrganization(tx, parts, {
      name: organizationName,
      owner: { email, name, passwordHash },
    })
    const signedIn = await openSession(tx, parts, { user, organization })
    await finish?.(tx, signedIn)
    return signedIn
  })
}

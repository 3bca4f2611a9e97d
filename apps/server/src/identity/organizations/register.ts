import { type Transact, transactOn } from '../../database/index.ts'
import { hashPassword } from '../members/password.ts'
import { openSession, type SessionWithTokens } from '../sessions/session.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { validateEmail, validateName } from '../shared/validate-text.ts'
import { createOrganization } from './create-organization.ts'

export interface Registration {
  readonly email: string
  readonly password: string
  readonly name?: string
  readonly organizationName: string
}

/**
 * Creates an organization, its first user as owner, its default profile, and a session (contract 3). VALIDATION_ERROR
 * for a malformed field, CONFLICT for an e-mail in use.
 */
export async function register(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'random' | 'secrets' | 'environment'>,
  input: Registration,
  transact: Transact<SessionWithTokens> = transactOn(parts.db),
): Promise<SessionWithTokens> {
  const email = validateEmail(input.email)
  const name = input.name === undefined ? null : validateName('name', input.name)
  const organizationName = validateName('organizationName', input.organizationName)
  const passwordHash = await hashPassword(input.password)
  return await transact(async (tx) => {
    const { user, organization } = await createOrganization(tx, parts, {
      name: organizationName,
      owner: { email, name, passwordHash },
    })
    return await openSession(tx, parts, { user, organization })
  })
}

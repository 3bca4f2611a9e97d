import { type Role, type Transact, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { validateEmail, validateName } from '../shared/validate-text.ts'
import { insertUser, type Member } from './insert-user.ts'
import { refuseOwnerRole } from './member-rules.ts'
import { hashPassword } from './password.ts'

export interface NewMember {
  readonly email: string
  readonly name?: string
  readonly role: Role
  readonly password: string
}

/**
 * Adds a person to the actor's organization. VALIDATION_ERROR for a malformed field, FORBIDDEN when an admin adds an
 * owner, CONFLICT for an e-mail in use (contract 3).
 */
export async function addMember(
  parts: Pick<IdentityParts, 'db' | 'clock'>,
  actor: UserCredential,
  input: NewMember,
  transact: Transact<Member> = transactOn(parts.db),
): Promise<Member> {
  const email = validateEmail(input.email)
  const name = input.name === undefined ? null : validateName('name', input.name)
  refuseOwnerRole(actor, input.role)
  const passwordHash = await hashPassword(input.password)
  return await transact(async (tx) => {
    const { organizationId } = actor
    const member = await insertUser(tx, parts, { organizationId, email, name, role: input.role, passwordHash })
    if (member === undefined) throw new Failure('CONFLICT', { message: 'This e-mail address is already in use.' })
    return member
  })
}

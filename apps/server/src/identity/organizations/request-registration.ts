import { type Transact, transactOn } from '../../database/index.ts'
import { storeAddressRequest } from '../addresses/address-request.ts'
import { hashNewPassword } from '../members/hash-new-password.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { validateEmail, validateName } from '../shared/validate-text.ts'
import type { Registration } from './register.ts'

/**
 * Requests an organization where addresses must be proved: nothing exists until the link in the email is confirmed with
 * the same password. `network`: that of the request, whose emails to an address are limited. The response and its time are the same whether or not the address has an account. VALIDATION_ERROR
 * for a malformed field.
 */
export async function requestRegistration(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'mail' | 'passwordRules'>,
  input: Omit<Registration, 'client'> & { readonly network?: string | undefined },
  transact: Transact<void> = transactOn(parts.db),
): Promise<void> {
  const email = validateEmail(input.email)
  const name = input.name === undefined ? null : validateName('name', input.name)
  const organizationName = validateName('organizationName', input.organizationName)
  const passwordHash = await hashNewPassword(parts, {
    password: input.password,
    about: [email, name, organizationName],
  })
  const invitation = input.invitation ?? null
  await storeAddressRequest(
    parts,
    { kind: 'registration', email, name, organizationName, passwordHash, invitation, network: input.network },
    transact,
  )
}

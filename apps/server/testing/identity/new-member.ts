import type { Role } from '../../src/database/index.ts'
import type { IdentityParts, UserCredential } from '../../src/identity/index.ts'
import { addMember } from '../../src/identity/index.ts'
import { credentialOf, PASSWORD } from './identity-fixture.ts'
import { logIn } from './log-in.ts'

let added = 0

/** A new member of the owner's organization, logged in. */
export async function newMember(parts: IdentityParts, owner: UserCredential, role: Role) {
  added += 1
  const email = `member${added}@acme.example`
  const { id } = await addMember(parts, owner, { email, role, password: PASSWORD })
  const { accessToken } = await logIn(parts, { email, password: PASSWORD, address: '192.0.2.1' })
  return { id, email, accessToken, credential: await credentialOf(parts, accessToken) }
}

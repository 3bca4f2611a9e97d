import { Failure } from '../kernel/index.ts'
import type { UserCredential } from './credential.ts'
import { findAccount } from './find-account.ts'
import type { IdentityParts } from './parts.ts'
import type { Account } from './session.ts'

/** The signed-in person and their organization. UNAUTHORIZED when the session ended since it was checked. */
export async function me(parts: Pick<IdentityParts, 'db'>, credential: UserCredential): Promise<Account> {
  const found = await findAccount(parts.db, credential)
  if (found === undefined) throw new Failure('UNAUTHORIZED')
  return found.account
}

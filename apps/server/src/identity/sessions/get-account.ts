import { Failure } from '../../kernel/index.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { findAccount } from './find-account.ts'
import type { Account } from './session.ts'

/** The logged-in user and their organization. UNAUTHORIZED when the session ended since it was checked. */
export async function getAccount(parts: Pick<IdentityParts, 'db'>, credential: UserCredential): Promise<Account> {
  const found = await findAccount(parts.db, credential)
  if (found === undefined) throw new Failure('UNAUTHORIZED')
  return found.account
}

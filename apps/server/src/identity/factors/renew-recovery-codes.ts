import { type Transact, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { lockFactors } from './factors-of-user.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'

/** Replaces the user's recovery codes; the earlier ones stop working. CONFLICT without a second factor. */
export async function renewRecoveryCodes(
  parts: Pick<IdentityParts, 'db' | 'random' | 'secrets'>,
  actor: UserCredential,
  transact: Transact<readonly string[]> = transactOn(parts.db),
): Promise<readonly string[]> {
  return await transact(async (tx) => {
    if ((await lockFactors(tx, actor)).length === 0) {
      throw new Failure('CONFLICT', {
        message: 'Recovery codes replace a second factor, and you have none. Add one first.',
      })
    }
    return await replaceRecoveryCodes(tx, parts, actor)
  })
}

import type { Tx } from '../../database/index.ts'
import { endSessions } from '../members/end-sessions.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { lockFactors, markVerified, refreshFactors } from './factors-of-user.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'
import { replaceCookie } from './replace-cookie.ts'

/** What a user gets with a new factor. */
export interface ActivatedFactor {
  /** The recovery codes, with the first factor only; they leave the service once. */
  readonly recoveryCodes: readonly string[] | null
  /** How many other sessions ended: those that a password alone had opened. */
  readonly ended: number
  /** The value of the cookie that replaces the browser's; absent for other clients. */
  readonly cookie: string | undefined
}

/**
 * Stores a factor by `store`, within the transaction of `tx`. With the first one the user gets recovery codes, and their
 * other sessions end. The factor was just proved, so this session counts as stepped up, under another cookie.
 */
export async function activateFactor(
  tx: Tx,
  parts: Pick<IdentityParts, 'clock' | 'random' | 'secrets'>,
  actor: UserCredential,
  store: () => Promise<void>,
): Promise<ActivatedFactor> {
  const before = await lockFactors(tx, actor)
  await store()
  await refreshFactors(tx, actor)
  const at = await markVerified(tx, parts, actor)
  const cookie = await replaceCookie(tx, parts, actor)
  if (before.length > 0) return { recoveryCodes: null, ended: 0, cookie }
  const { organizationId, userId, sessionId } = actor
  return {
    recoveryCodes: await replaceRecoveryCodes(tx, parts, actor),
    ended: await endSessions(tx, at, { organizationId, id: userId }, sessionId),
    cookie,
  }
}

import { type Transact, type Tx, transactOn } from '../../../database/index.ts'
import { Failure, type Refusal } from '../../../kernel/index.ts'
import { readAccessToken } from '../../sessions/access-token.ts'
import { findAccount } from '../../sessions/find-account.ts'
import { challengeFactors, type LoginResult } from '../../sessions/log-in.ts'
import { openSession, type SessionClient } from '../../sessions/session.ts'
import { tokenHash } from '../../shared/token-hash.ts'
import type { SsoParts } from '../parts.ts'

export interface CodeExchange {
  readonly code: string
  readonly client?: SessionClient
}

/**
 * Opens the session of a finished sign-in, or for a user with a second factor whose provider did not ask for one returns
 * a challenge, like a login. A code works once, for two minutes; one that is used twice was copied, and its session ends,
 * as does a login that waits. UNAUTHORIZED for every other code, and if the
 * member was removed, their sessions ended or the provider was deleted meanwhile.
 */
export async function exchangeSignInCode(
  parts: Pick<SsoParts, 'db' | 'clock' | 'random' | 'secrets' | 'environment' | 'sessionLimits' | 'factors'>,
  { code, client }: CodeExchange,
  transact: Transact<LoginResult> = transactOn(parts.db),
): Promise<LoginResult> {
  const codeHash = tokenHash(code)
  const failure = new Failure('UNAUTHORIZED', { message: 'The sign-in code is not valid.' })
  try {
    return await transact(async (tx) => {
      const consumed = await consumeCode(tx, parts, codeHash)
      const found = consumed && (await findAccount(tx, consumed))
      if (consumed === undefined || found === undefined) throw failure
      const challenge = consumed.secondFactor ? undefined : await challengeFactors(tx, parts, consumed, 'sso_login')
      if (challenge !== undefined) return challenge
      const session = await openSession(tx, parts, found.account, client)
      const opened = await readAccessToken(parts, session.accessToken)
      await tx
        .updateTable('sso_sign_ins')
        .set({ session_id: opened?.sessionId ?? null })
        .where('code_hash', '=', codeHash)
        .execute()
      return session
    })
  } catch (error) {
    // The failure rolls its transaction back, but ending the session must commit.
    if (error !== failure) throw error
    const refusal = await endCopiedSession(parts, codeHash)
    throw new Failure('UNAUTHORIZED', { message: failure.message, refusal })
  }
}

async function consumeCode(tx: Tx, { clock }: Pick<SsoParts, 'clock'>, codeHash: Buffer) {
  const now = clock.now()
  const consumed = await tx
    .updateTable('sso_sign_ins')
    .from('sso_providers')
    .set({ exchanged_at: now })
    .where('code_hash', '=', codeHash)
    .where('exchanged_at', 'is', null)
    .where('code_expires_at', '>', now)
    .whereRef('sso_providers.organization_id', '=', 'sso_sign_ins.organization_id')
    .whereRef('sso_providers.id', '=', 'sso_sign_ins.provider_id')
    .where('sso_providers.deleted_at', 'is', null)
    .returning([
      'sso_sign_ins.organization_id as organizationId',
      'sso_sign_ins.user_id as userId',
      'sso_sign_ins.second_factor as secondFactor',
    ])
    .executeTakeFirst()
  return consumed && consumed.userId !== null ? { ...consumed, userId: consumed.userId } : undefined
}

/** Ends what a code that was exchanged before has opened: its session, or the login that waits for a second factor. */
async function endCopiedSession({ db, clock }: Pick<SsoParts, 'db' | 'clock'>, codeHash: Buffer): Promise<Refusal> {
  const waiting = await db
    .deleteFrom('factor_challenges')
    .using('sso_sign_ins')
    .where('sso_sign_ins.code_hash', '=', codeHash)
    .where('sso_sign_ins.exchanged_at', 'is not', null)
    .where('factor_challenges.purpose', '=', 'sso_login')
    .whereRef('factor_challenges.organization_id', '=', 'sso_sign_ins.organization_id')
    .whereRef('factor_challenges.user_id', '=', 'sso_sign_ins.user_id')
    .returning(['factor_challenges.organization_id as organizationId', 'factor_challenges.user_id as userId'])
    .executeTakeFirst()
  const session = await db
    .updateTable('sessions')
    .from('sso_sign_ins')
    .set({ revoked_at: clock.now() })
    .where('sso_sign_ins.code_hash', '=', codeHash)
    .whereRef('sessions.organization_id', '=', 'sso_sign_ins.organization_id')
    .whereRef('sessions.id', '=', 'sso_sign_ins.session_id')
    .where('sessions.revoked_at', 'is', null)
    .returning(['sessions.organization_id as organizationId', 'sessions.user_id as userId'])
    .executeTakeFirst()
  const { organizationId = null, userId = null } = session ?? waiting ?? {}
  if (organizationId === null || userId === null) return { reason: 'invalid_sso_code' }
  return { reason: 'sso_code_reused', organizationId, actor: { type: 'user', id: userId } }
}

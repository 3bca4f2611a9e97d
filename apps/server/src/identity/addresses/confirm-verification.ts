import { type Transact, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { clearAttempt, recordAttempt, sweepAttempts } from '../attempts/login-attempts.ts'
import { consumeToken, invalidToken, revokeTokens } from '../mail/account-token.ts'
import { notifyAccount } from '../mail/notify-account.ts'
import { afterProof } from '../members/assign-password.ts'
import { passwordMatches } from '../members/password.ts'
import { refusePasswordAccount, refusePasswordOfMember } from '../members/sso-requirement.ts'
import { type AccountWithPassword, findAccount } from '../sessions/find-account.ts'
import type { Account } from '../sessions/session.ts'
import { clearTokenAttempt, recordTokenAttempt } from '../sessions/token-attempts.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { tokenHash } from '../shared/token-hash.ts'
import { addressConflict, releaseAddress } from './release-address.ts'

export interface VerificationConfirmation {
  readonly token: string
  /**
   * The account's password: somebody who only reads the mailbox cannot prove the address for another person's account.
   */
  readonly password: string
  /** Takes the address over from an account that never proved it. */
  readonly takeAddress: boolean
  /** The network of the request; wrong tokens and passwords are counted. */
  readonly address: string
}

/**
 * Proves that an address is its user's, and makes it their address if it is a new one. Without the password, a stranger
 * who registered somebody's address would only need that person's click. FORBIDDEN for a token that is not valid,
 * UNAUTHORIZED for a wrong password, RATE_LIMIT_EXCEEDED after too many, CONFLICT when another account has the address,
 * FORBIDDEN (`sso_required`) for a new address while single sign-on is required for it or for the old one.
 */
export async function confirmVerification(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'secrets' | 'mail' | 'log'>,
  { token, password, takeAddress, address }: VerificationConfirmation,
  transact: Transact<Account> = transactOn(parts.db),
): Promise<Account> {
  const tokenAttempt = await recordTokenAttempt(parts, address)
  const found = await accountOfToken(parts, token)
  if (found === undefined) throw invalidToken()
  const passwordAttempt = await recordAttempt(parts, {
    kind: 'password',
    email: found.account.user.email,
    address,
  })
  if (!(await passwordMatches(found.passwordHash, password))) {
    await sweepAttempts(parts)
    throw new Failure('UNAUTHORIZED', { message: 'Wrong password.' })
  }
  return await transact(async (tx) => {
    const at = parts.clock.now()
    const { email } = await consumeToken(tx, at, { purpose: 'email_verification', token })
    const { user, organization } = found.account
    if (email !== user.email) {
      // Checked again: the organization may now require single sign-on.
      await refusePasswordOfMember(tx, user.email, at)
      await refusePasswordAccount(tx, email, at)
      await releaseAddress(tx, parts, { email, takeAddress })
    }
    const changed = await tx
      .updateTable('users')
      .set((column) => ({
        email,
        password_assigned_at: afterProof(),
        email_verified_at: email === user.email ? column.fn.coalesce('email_verified_at', column.val(at)) : at,
      }))
      .where('organization_id', '=', organization.id)
      .where('id', '=', user.id)
      .where('email', '=', user.email)
      .where('password_hash', '=', found.passwordHash)
      .where('removed_at', 'is', null)
      .executeTakeFirst()
    if (changed.numUpdatedRows === 0n) throw invalidToken()
    await clearTokenAttempt(tx, tokenAttempt)
    await clearAttempt(tx, passwordAttempt)
    if (email !== user.email) {
      const organizationId = organization.id
      await revokeTokens(tx, { organizationId, id: user.id })
      await notifyAccount(tx, parts, { organizationId, email: user.email, change: { what: 'address', to: email } })
    }
    return { ...found.account, user: { ...user, email } }
  }).catch((error) => {
    throw addressConflict(error)
  })
}

/** The account that a token was issued for, if both still exist. */
async function accountOfToken(
  { db, clock }: Pick<IdentityParts, 'db' | 'clock'>,
  token: string,
): Promise<AccountWithPassword | undefined> {
  const row = await db
    .selectFrom('account_tokens as token')
    .innerJoin('users', (join) =>
      join.onRef('users.organization_id', '=', 'token.organization_id').onRef('users.id', '=', 'token.user_id'),
    )
    .select('users.email')
    .where('token.token_hash', '=', tokenHash(token))
    .where('token.purpose', '=', 'email_verification')
    .where('token.used_at', 'is', null)
    .where('token.expires_at', '>', clock.now())
    .where('users.removed_at', 'is', null)
    .executeTakeFirst()
  return row && (await findAccount(db, { email: row.email }))
}

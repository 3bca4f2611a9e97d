import { type Transact, transactOn } from '../../database/index.ts'
import { addMilliseconds, Failure, TOTP_ENROLLMENT_LIFETIME_MS, validationError } from '../../kernel/index.ts'
import { clearAttempt, recordAttempt, sweepAttempts } from '../attempts/login-attempts.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { type ActivatedFactor, activateFactor } from './activate-factor.ts'
import { totpLabel } from './consume-totp-code.ts'
import { stepOfCode } from './totp.ts'

export interface TotpConfirmation {
  readonly code: string
  readonly address: string
}

/**
 * Completes the enrollment of an authenticator app with its first code, within 15 minutes. VALIDATION_ERROR at `code`
 * if it is wrong, CONFLICT without an enrollment, RATE_LIMIT_EXCEEDED after too many failures.
 */
export async function confirmTotp(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'random' | 'secrets' | 'factors'>,
  actor: UserCredential,
  { code, address }: TotpConfirmation,
  transact: Transact<ActivatedFactor> = transactOn(parts.db),
): Promise<ActivatedFactor> {
  const { organizationId, userId } = actor
  const attempt = await recordAttempt(parts, { kind: 'new_app', user: actor, address })
  const refusal = validationError('code', 'is not a current code of the app')
  try {
    return await transact(async (tx) => {
      const now = parts.clock.now()
      const enrollment = await tx
        .selectFrom('user_totp')
        .select('sealed_secret')
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .where('confirmed_at', 'is', null)
        .where('created_at', '>', addMilliseconds(now, -TOTP_ENROLLMENT_LIFETIME_MS))
        .forUpdate()
        .executeTakeFirst()
      if (enrollment === undefined) {
        throw new Failure('CONFLICT', { message: 'There is no enrollment to confirm, or it is older than 15 minutes.' })
      }
      const step = stepOfCode(parts.factors.sealer.open(enrollment.sealed_secret, totpLabel(actor)), code, now)
      if (step === undefined) throw refusal
      await clearAttempt(tx, attempt)
      return await activateFactor(tx, parts, actor, async () => {
        await tx
          .updateTable('user_totp')
          .set({ confirmed_at: now, last_step: step })
          .where('organization_id', '=', organizationId)
          .where('user_id', '=', userId)
          .execute()
      })
    })
  } catch (error) {
    if (error === refusal) await sweepAttempts(parts)
    throw error
  }
}

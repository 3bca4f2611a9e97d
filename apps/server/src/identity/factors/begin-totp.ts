import { sql } from 'kysely'
import { type Transact, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { totpLabel } from './consume-totp-code.ts'
import { type OwnPassword, requireOwnPassword } from './require-own-password.ts'
import { newTotpSecret, totpUri } from './totp.ts'

export interface TotpSecret {
  /** Base32; it leaves the service once. */
  readonly secret: string
  readonly uri: string
}

/**
 * Starts the enrollment of an authenticator app with a new secret, which is in force as soon as a code confirms it. CONFLICT if the
 * user has an app; the errors of {@link requireOwnPassword}.
 */
export async function beginTotp(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'random' | 'secrets' | 'factors'>,
  actor: UserCredential,
  input: OwnPassword,
  transact: Transact<TotpSecret> = transactOn(parts.db),
): Promise<TotpSecret> {
  await requireOwnPassword(parts, actor, input)
  const { organizationId, userId } = actor
  const secret = newTotpSecret(parts.random)
  return await transact(async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select('email')
      .where('organization_id', '=', organizationId)
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    const stored = await sql`
      insert into user_totp as known (organization_id, user_id, sealed_secret, created_at)
      values (${organizationId}, ${userId}, ${parts.factors.sealer.seal(secret, totpLabel(actor))}, ${parts.clock.now()})
      on conflict (organization_id, user_id) do update
        set sealed_secret = excluded.sealed_secret, created_at = excluded.created_at, last_step = null
        where known.confirmed_at is null
      returning 1
    `.execute(tx)
    if (stored.rows.length === 0) throw new Failure('CONFLICT', { message: 'You already have an authenticator app.' })
    return { secret, uri: totpUri(secret, user.email) }
  })
}

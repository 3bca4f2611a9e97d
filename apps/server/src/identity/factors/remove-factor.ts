import { type Transact, type Tx, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { lockFactors, refreshFactors } from './factors-of-user.ts'

/**
 * Removes the user's authenticator app. NOT_FOUND if there is none; CONFLICT (`second_factor_required`) for the last
 * factor in an organization that requires one.
 */
export async function removeTotp(
  parts: Pick<IdentityParts, 'db'>,
  actor: UserCredential,
  transact: Transact<void> = transactOn(parts.db),
): Promise<void> {
  await transact((tx) =>
    remove(tx, actor, async () => {
      const { organizationId, userId } = actor
      const removed = await tx
        .deleteFrom('user_totp')
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .where('confirmed_at', 'is not', null)
        .executeTakeFirst()
      return removed.numDeletedRows
    }),
  )
}

/** Removes one of the user's passkeys; errors like {@link removeTotp}. */
export async function removePasskey(
  parts: Pick<IdentityParts, 'db'>,
  actor: UserCredential,
  passkeyId: number,
  transact: Transact<void> = transactOn(parts.db),
): Promise<void> {
  await transact((tx) =>
    remove(tx, actor, async () => {
      const removed = await tx
        .deleteFrom('user_passkeys')
        .where('organization_id', '=', actor.organizationId)
        .where('user_id', '=', actor.userId)
        .where('id', '=', passkeyId)
        .executeTakeFirst()
      return removed.numDeletedRows
    }),
  )
}

async function remove(tx: Tx, actor: UserCredential, deleteRow: () => Promise<bigint>): Promise<void> {
  await lockFactors(tx, actor)
  if ((await deleteRow()) === 0n) throw new Failure('NOT_FOUND', { message: 'You do not have this second factor.' })
  const left = await refreshFactors(tx, actor)
  if (left.length > 0) return
  const { organizationId, userId } = actor
  const organization = await tx
    .selectFrom('organizations')
    .select('second_factor_required')
    .where('id', '=', organizationId)
    .forShare()
    .executeTakeFirstOrThrow()
  if (organization.second_factor_required) {
    throw new Failure('CONFLICT', {
      message: 'The organization requires a second factor. Add another one first.',
      details: { reason: 'second_factor_required' },
    })
  }
  await tx
    .deleteFrom('user_recovery_codes')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute()
}

import { sql } from 'kysely'
import type { FactorKind, Tx } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { IdentityParts } from '../shared/parts.ts'
import type { UserKey } from './challenges.ts'

/**
 * The user's second factors, none of which can be added or removed before the transaction ends; `undefined` for a member
 * who was removed. A login locks them before it decides that a password is enough.
 */
export async function shareFactors(tx: Tx, user: UserKey): Promise<readonly FactorKind[] | undefined> {
  const row = await selectUser(tx, user).forKeyShare().executeTakeFirst()
  return row?.second_factors
}

/** Locks the user before their factors change. UNAUTHORIZED for a member who was removed. */
export async function lockFactors(tx: Tx, user: UserKey): Promise<readonly FactorKind[]> {
  const row = await selectUser(tx, user).forUpdate().executeTakeFirst()
  if (row === undefined) throw new Failure('UNAUTHORIZED')
  return row.second_factors
}

function selectUser(tx: Tx, { organizationId, userId }: UserKey) {
  return tx
    .selectFrom('users')
    .select('second_factors')
    .where('organization_id', '=', organizationId)
    .where('id', '=', userId)
    .where('removed_at', 'is', null)
}

/** Brings `users.second_factors` in line with the rows of the factors, and returns it. The user must be locked. */
export async function refreshFactors(tx: Tx, { organizationId, userId }: UserKey): Promise<readonly FactorKind[]> {
  const { rows } = await sql<{ second_factors: FactorKind[] }>`
    update users member set second_factors = array(
      select 'totp' where exists (
        select from user_totp totp where totp.organization_id = member.organization_id
          and totp.user_id = member.id and totp.confirmed_at is not null
      )
      union all
      select 'passkey' where exists (
        select from user_passkeys passkey
        where passkey.organization_id = member.organization_id and passkey.user_id = member.id
      )
    )
    where member.organization_id = ${organizationId} and member.id = ${userId}
    returning member.second_factors
  `.execute(tx)
  return rows[0]?.second_factors ?? []
}

/** Records that the user verified a second factor on this session just now. UNAUTHORIZED if it has ended. */
export async function markVerified(
  tx: Tx,
  { clock }: Pick<IdentityParts, 'clock'>,
  { organizationId, sessionId }: { readonly organizationId: number; readonly sessionId: number },
): Promise<Date> {
  const at = clock.now()
  const marked = await tx
    .updateTable('sessions')
    .set({ factor_verified_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (marked.numUpdatedRows === 0n) throw new Failure('UNAUTHORIZED')
  return at
}

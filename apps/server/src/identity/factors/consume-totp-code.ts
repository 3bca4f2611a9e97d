import type { Tx } from '../../database/index.ts'
import type { IdentityParts } from '../shared/parts.ts'
import type { UserKey } from './challenges.ts'
import { stepOfCode } from './totp.ts'

/** The sealing purpose of second factors. */
export const FACTORS_PURPOSE = 'second factors'

/** Names a user's secret: sealed text opens only under its own label. */
export const totpLabel = ({ organizationId, userId }: UserKey) => `totp ${organizationId}/${userId}`

/** Where secrets of apps are sealed. */
export const TOTP_SEALED_COLUMN = {
  table: 'user_totp',
  column: 'sealed_secret',
  key: ['organization_id', 'user_id'],
  purpose: FACTORS_PURPOSE,
  label: (row: Readonly<Record<string, unknown>>) =>
    totpLabel({ organizationId: Number(row.organization_id), userId: Number(row.user_id) }),
} as const

/** Uses up a code of the user's authenticator app: neither it nor an earlier one counts again. */
export async function consumeTotpCode(
  tx: Tx,
  { clock, factors }: Pick<IdentityParts, 'clock' | 'factors'>,
  user: UserKey,
  code: string,
): Promise<boolean> {
  const row = await tx
    .selectFrom('user_totp')
    .select('sealed_secret')
    .where('organization_id', '=', user.organizationId)
    .where('user_id', '=', user.userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  if (row === undefined) return false
  const step = stepOfCode(factors.sealer.open(row.sealed_secret, totpLabel(user)), code, clock.now())
  if (step === undefined) return false
  const consumed = await tx
    .updateTable('user_totp')
    .set({ last_step: step })
    .where('organization_id', '=', user.organizationId)
    .where('user_id', '=', user.userId)
    .where('confirmed_at', 'is not', null)
    .where((row) => row.or([row('last_step', 'is', null), row('last_step', '<', step)]))
    .executeTakeFirst()
  return consumed.numUpdatedRows === 1n
}

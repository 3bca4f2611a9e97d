import type { Tx } from '../../database/index.ts'
import { type RandomSource, RECOVERY_CODES_BATCH } from '../../kernel/index.ts'
import { hashSecret, secretHashes } from '../keys/key-material.ts'
import type { IdentityParts } from '../shared/parts.ts'
import type { UserKey } from './challenges.ts'

/** Crockford's base32: no letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUP_LENGTH = 4
const GROUPS = 6

/** Replaces the user's recovery codes by ten new ones, and returns these. Only their keyed hashes are stored. */
export async function replaceRecoveryCodes(
  tx: Tx,
  parts: Pick<IdentityParts, 'random' | 'secrets'>,
  user: UserKey,
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES_BATCH }, () => newCode(parts.random))
  await tx
    .deleteFrom('user_recovery_codes')
    .where('organization_id', '=', user.organizationId)
    .where('user_id', '=', user.userId)
    .execute()
  await tx
    .insertInto('user_recovery_codes')
    .values(
      codes.map((code) => ({
        organization_id: user.organizationId,
        user_id: user.userId,
        code_hash: hashSecret(parts.secrets.pepper, codeText(user, code)),
        pepper_id: parts.secrets.pepper.currentId,
      })),
    )
    .execute()
  return codes
}

/** Uses up a recovery code; whether the user had it and had not used it. */
export async function consumeRecoveryCode(
  tx: Tx,
  parts: Pick<IdentityParts, 'clock' | 'secrets'>,
  user: UserKey,
  code: string,
): Promise<boolean> {
  const consumed = await tx
    .updateTable('user_recovery_codes')
    .set({ used_at: parts.clock.now() })
    .where('organization_id', '=', user.organizationId)
    .where('user_id', '=', user.userId)
    .where('code_hash', 'in', secretHashes(parts.secrets.pepper, codeText(user, code)))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return consumed.numUpdatedRows === 1n
}

/** 120 random bits, as six groups of four characters; 256 is a multiple of 32, so there is no bias. */
function newCode(random: RandomSource): string {
  const characters = Array.from(random(GROUPS * GROUP_LENGTH), (byte) => ALPHABET[byte % 32])
  return Array.from({ length: GROUPS }, (_, group) =>
    characters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH).join(''),
  ).join('-')
}

/** As people type it: without separators, in any case, with letters for digits that look alike. */
function normalize(code: string): string {
  return code.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
}

function codeText({ organizationId, userId }: UserKey, code: string): string {
  return `recovery code\n${organizationId}/${userId}\n${normalize(code)}`
}

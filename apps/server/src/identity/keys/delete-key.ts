import { type Transact, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { IdentityParts } from '../shared/parts.ts'

/**
 * Revokes a key: every process refuses it from the next request on. NOT_FOUND for a key of another organization or one
 * already deleted.
 */
export async function deleteKey(
  parts: Pick<IdentityParts, 'db' | 'clock'>,
  organizationId: number,
  keyId: number,
  transact: Transact<void> = transactOn(parts.db),
): Promise<void> {
  await transact(async (tx) => {
    const revoked = await tx
      .updateTable('api_keys')
      .set({ revoked_at: parts.clock.now() })
      .where('organization_id', '=', organizationId)
      .where('id', '=', keyId)
      .where('revoked_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (revoked === undefined) throw new Failure('NOT_FOUND', { message: 'The API key does not exist.' })
  })
}

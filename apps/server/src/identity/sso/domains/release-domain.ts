import { type Transact, transactOn } from '../../../database/index.ts'
import { Failure } from '../../../kernel/index.ts'
import type { UserCredential } from '../../shared/credential.ts'
import { lockOrganization } from '../../shared/lock-organization.ts'
import type { SsoParts } from '../parts.ts'

/**
 * Gives a domain up: single sign-on is no longer required for it, it creates no members, and another organization may
 * prove it. Members and their links stay. NOT_FOUND.
 */
export async function releaseDomain(
  parts: Pick<SsoParts, 'db'>,
  { organizationId }: Pick<UserCredential, 'organizationId'>,
  domainId: number,
  transact: Transact<void> = transactOn(parts.db),
): Promise<void> {
  await transact(async (tx) => {
    await lockOrganization(tx, organizationId)
    const deleted = await tx
      .deleteFrom('sso_domains')
      .where('organization_id', '=', organizationId)
      .where('id', '=', domainId)
      .executeTakeFirst()
    if (deleted.numDeletedRows === 0n) throw new Failure('NOT_FOUND', { message: 'The domain does not exist.' })
  })
}

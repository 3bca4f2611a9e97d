import { type Transact, type Tx, transactOn } from '../../database/index.ts'
import { Failure, validationError } from '../../kernel/index.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'

/**
 * Deletes the actor's organization for good: its people are signed out and unknown, its keys tell that it is gone, and
 * nothing is planned for it any more. Wallets, positions and ledger stay, and the books go on following the chain, so
 * that auditors see what bytes did that were handed out before.
 *
 * `mayGo` is asked when nobody can plan or register any more; what it throws keeps everything as it is. Errors:
 * VALIDATION_ERROR at `name` unless it is the organization's name to the letter, ORGANIZATION_NOT_FOUND when somebody
 * else was quicker.
 */
export async function deleteOrganization(
  parts: Pick<IdentityParts, 'db' | 'clock'>,
  { organizationId }: UserCredential,
  name: string,
  mayGo: (tx: Tx, organizationId: number) => Promise<void>,
  transact: Transact<void> = transactOn(parts.db),
): Promise<void> {
  await transact(async (tx) => {
    const organization = await tx
      .selectFrom('organizations')
      .select('name')
      .where('id', '=', organizationId)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (organization === undefined) throw new Failure('ORGANIZATION_NOT_FOUND')
    if (name !== organization.name) throw validationError('name', "must be the organization's name, to the letter")
    await blockNewPlans(tx, organizationId)
    await mayGo(tx, organizationId)
    await closeOrganization(tx, organizationId, parts.clock.now())
  })
}

/** Whoever registers a wallet holds its profile, and whoever plans holds its wallet; both wait from here on. */
async function blockNewPlans(tx: Tx, organizationId: number): Promise<void> {
  for (const table of ['wallet_profiles', 'wallets'] as const) {
    await tx
      .selectFrom(table)
      .select('id')
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .forUpdate()
      .execute()
  }
}

/** The e-mail addresses are free again: whoever comes back registers a new organization. */
async function closeOrganization(tx: Tx, organizationId: number, now: Date): Promise<void> {
  await tx.updateTable('organizations').set({ deleted_at: now }).where('id', '=', organizationId).execute()
  await tx
    .updateTable('users')
    .set({ removed_at: now })
    .where('organization_id', '=', organizationId)
    .where('removed_at', 'is', null)
    .execute()
  await tx
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .execute()
}

import { type Transact, type Tx, transactOn } from '../../database/index.ts'
import { Failure, validationError } from '../../kernel/index.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'

export interface DeleteOrganizationInput {
  readonly actor: UserCredential
  readonly name: string
  readonly assertDeletable: (tx: Tx, organizationId: number) => Promise<void>
}

/**
 * Deletes the actor's organization permanently: its members are logged out and unknown, its keys report that it is
 * gone, and nothing new is planned for it. Wallets, positions and ledger stay, and the ledger keeps following the
 * chain, so that auditors can see the effects of bytes issued before.
 *
 * `assertDeletable` is called once nobody can plan or register any longer; if it throws, nothing changes. Errors:
 * VALIDATION_ERROR at `name` unless it matches the organization's name exactly, ORGANIZATION_NOT_FOUND when someone
 * else deleted it first.
 */
export async function deleteOrganization(
  parts: Pick<IdentityParts, 'db' | 'clock'>,
  { actor: { organizationId }, name, assertDeletable }: DeleteOrganizationInput,
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
    if (name !== organization.name) throw validationError('name', "must be exactly the organization's name")
    await blockNewPlans(tx, organizationId)
    await assertDeletable(tx, organizationId)
    await closeOrganization(tx, organizationId, parts.clock.now())
  })
}

/** Registering a wallet locks its profile, and planning locks its wallet; both wait from here on. */
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

/** Frees the email addresses and domains: a returning member registers a new organization. */
async function closeOrganization(tx: Tx, organizationId: number, now: Date): Promise<void> {
  await tx.updateTable('organizations').set({ deleted_at: now }).where('id', '=', organizationId).execute()
  await tx.deleteFrom('sso_domains').where('organization_id', '=', organizationId).execute()
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

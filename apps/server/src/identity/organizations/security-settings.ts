import { type Database, type Transact, type Tx, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'

/** What an organization demands of its members. */
export interface SecuritySettings {
  /** Members without a second factor may only enroll one. */
  readonly secondFactorRequired: boolean
  /** Approvals of operations count only with a signature by the approver's passkey. */
  readonly signedApprovals: boolean
  /** Members who may approve get an email when something waits for approval. */
  readonly approvalMails: boolean
}

/** The settings that one request changes; `signedApprovals` has a verb of its own. */
export type SecurityChanges = Partial<Omit<SecuritySettings, 'signedApprovals'>>

const COLUMNS = [
  'second_factor_required as secondFactorRequired',
  'signed_approvals as signedApprovals',
  'approval_mails as approvalMails',
] as const

/** The organization's settings. */
export async function getSecuritySettings(
  { db }: { readonly db: Database | Tx },
  organizationId: number,
): Promise<SecuritySettings> {
  return await db.selectFrom('organizations').select(COLUMNS).where('id', '=', organizationId).executeTakeFirstOrThrow()
}

/**
 * Changes the settings; omitted ones stay. CONFLICT (`second_factor_missing`) when an owner without a second factor
 * requires one.
 */
export async function updateSecuritySettings(
  { db }: Pick<IdentityParts, 'db'>,
  actor: UserCredential,
  changes: SecurityChanges,
  transact: Transact<SecuritySettings> = transactOn(db),
): Promise<SecuritySettings> {
  const { organizationId } = actor
  return await transact(async (tx) => {
    const before = await tx
      .selectFrom('organizations')
      .select(COLUMNS)
      .where('id', '=', organizationId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const after = { ...before, ...changes }
    if (after.secondFactorRequired && !before.secondFactorRequired) await requireOwnFactor(tx, actor)
    await tx
      .updateTable('organizations')
      .set({ second_factor_required: after.secondFactorRequired, approval_mails: after.approvalMails })
      .where('id', '=', organizationId)
      .execute()
    return after
  })
}

async function requireOwnFactor(tx: Tx, { organizationId, userId }: UserCredential): Promise<void> {
  const user = await tx
    .selectFrom('users')
    .select('second_factors')
    .where('organization_id', '=', organizationId)
    .where('id', '=', userId)
    .forShare()
    .executeTakeFirst()
  if (user !== undefined && user.second_factors.length > 0) return
  throw new Failure('CONFLICT', {
    message: 'Enroll a second factor of your own first.',
    details: { reason: 'second_factor_missing' },
  })
}

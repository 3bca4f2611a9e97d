import { type Database, type Transact, transactOn } from '../../database/index.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'

/** Which emails a member wants, besides those about their own account. */
export interface NotificationSettings {
  /** An email when something waits for the member's approval. */
  readonly approvalMails: boolean
}

type Holder = Pick<UserCredential, 'organizationId' | 'userId'>

export async function getNotificationSettings(
  { db }: { readonly db: Database },
  { organizationId, userId }: Holder,
): Promise<NotificationSettings> {
  return await db
    .selectFrom('users')
    .select('approval_mails as approvalMails')
    .where('organization_id', '=', organizationId)
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** Changes the member's own settings. */
export async function updateNotificationSettings(
  { db }: Pick<IdentityParts, 'db'>,
  { organizationId, userId }: Holder,
  { approvalMails }: NotificationSettings,
  transact: Transact<NotificationSettings> = transactOn(db),
): Promise<NotificationSettings> {
  return await transact((tx) =>
    tx
      .updateTable('users')
      .set({ approval_mails: approvalMails })
      .where('organization_id', '=', organizationId)
      .where('id', '=', userId)
      .returning('approval_mails as approvalMails')
      .executeTakeFirstOrThrow(),
  )
}

import type { ErasureStep } from '../identity/index.ts'

/** Removes the sandbox's copies of emails to members and invited people, while their addresses are still known. */
export const MAILBOX_ERASURE: ErasureStep = {
  name: 'sandbox_mails',
  async erase(tx, { organizationId }) {
    const { numDeletedRows } = await tx
      .deleteFrom('sandbox_mails')
      .where('recipient', 'in', (select) =>
        select
          .selectFrom('users')
          .select('email')
          .where('organization_id', '=', organizationId)
          .union(select.selectFrom('member_invitations').select('email').where('organization_id', '=', organizationId))
          .union(select.selectFrom('account_tokens').select('email').where('organization_id', '=', organizationId)),
      )
      .executeTakeFirst()
    return Number(numDeletedRows)
  },
}

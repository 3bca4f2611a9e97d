import { type AccountTokenPurpose, inTransaction } from '../../src/database/index.ts'
import { consumeToken, issueToken } from '../../src/identity/mail/account-token.ts'
import type { IdentityParts } from '../../src/identity/shared/parts.ts'

const PURPOSES = ['password_reset', 'email_verification'] as const

interface Recipient {
  readonly organizationId: number
  readonly id: number
  readonly email: string
}

/** Sends a member a link of each purpose; `working` uses them up and returns the purposes of those that still worked. */
export async function sentLinks(parts: Pick<IdentityParts, 'db' | 'clock' | 'random'>, { email, ...user }: Recipient) {
  const sent: { readonly purpose: AccountTokenPurpose; readonly token: string }[] = []
  for (const purpose of PURPOSES) {
    const token = await inTransaction(parts.db, (tx) => issueToken(tx, parts, { purpose, email, user }))
    sent.push({ purpose, token })
  }
  const works = (link: (typeof sent)[number]) =>
    inTransaction(parts.db, (tx) => consumeToken(tx, parts.clock.now(), link)).then(
      () => true,
      (error: { details?: { reason?: string } }) => {
        if (error.details?.reason !== 'invalid_token') throw error
        return false
      },
    )
  return {
    async working(): Promise<AccountTokenPurpose[]> {
      const purposes: AccountTokenPurpose[] = []
      for (const link of sent) if (await works(link)) purposes.push(link.purpose)
      return purposes
    },
  }
}

import { answerAddressRequests, type EmailVerification, type MailContent, openMail } from '../../src/identity/index.ts'
import { createSealer, systemRandomSource } from '../../src/kernel/index.ts'
import { type IdentityFixture, identityFixture } from './identity-fixture.ts'

/** An email that waits to be sent. */
export interface WaitingMail {
  readonly to: string
  readonly content: MailContent
}

/** Identity with a mail queue, whose emails a test opens as the delivery would. */
export interface MailFixture extends IdentityFixture {
  readonly mail: NonNullable<IdentityFixture['mail']>
  /** Answers the requests about addresses and returns the emails that wait, oldest first; each is returned once. */
  mails(): Promise<WaitingMail[]>
  /** The token of the only mail that waits for an address. */
  tokenFor(to: string): Promise<string>
}

export const MAIL_SEALER = createSealer('0a'.repeat(32), 'mail', systemRandomSource)

export async function mailFixture(emailVerification: EmailVerification = 'optional'): Promise<MailFixture> {
  return withMails({ ...(await identityFixture()), mail: { sealer: MAIL_SEALER, emailVerification } })
}

/** Adds the reading of emails to parts that have a queue. */
function withMails<P extends IdentityFixture & Pick<MailFixture, 'mail'>>(
  parts: P,
): P & Pick<MailFixture, 'mails' | 'tokenFor'> {
  let seen = 0
  const mails = async (): Promise<WaitingMail[]> => {
    while ((await answerAddressRequests(parts)) > 0);
    const rows = await parts.db.selectFrom('mails').selectAll().where('id', '>', seen).orderBy('id').execute()
    seen = rows.at(-1)?.id ?? seen
    return rows.flatMap(({ content, ...row }) => (content ? [openMail(parts.mail.sealer, { ...row, content })] : []))
  }
  return {
    ...parts,
    mails,
    async tokenFor(to) {
      const [mail, ...others] = (await mails()).filter((one) => one.to === to && 'token' in one.content)
      if (mail === undefined || !('token' in mail.content) || others.length > 0)
        throw new Error(`not one mail with a token waits for ${to}`)
      return mail.content.token
    },
  }
}

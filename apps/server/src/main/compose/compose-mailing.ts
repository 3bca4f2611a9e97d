import type { Config } from '../../config.ts'
import type { MailParts } from '../../identity/index.ts'
import { createSealer, type RandomSource } from '../../kernel/index.ts'
import { createMailboxMailer, createSmtpMailer, MAIL_PURPOSE, type MailDeliveryParts } from '../../mail/index.ts'
import type { KeyRings } from '../keys/key-rings.ts'

/** How mail is queued and how it is delivered. */
export interface Mailing {
  readonly queue: MailParts
  readonly delivery: MailDeliveryParts
}

interface MailingInput extends Pick<MailDeliveryParts, 'db' | 'clock' | 'log'> {
  readonly config: Pick<Config, 'environment' | 'mail'>
  readonly secrets: Pick<KeyRings, 'encryption'>
  readonly random: RandomSource
  readonly publicUrl: string
}

/**
 * Mail by SMTP, or into the mailbox of a sandbox without a mail server. `undefined` in live without one: everything that
 * needs mail is refused.
 */
export function composeMailing({ config, secrets, random, publicUrl, ...common }: MailingInput): Mailing | undefined {
  const { smtp, emailVerification, accountUrl = `${publicUrl}/account` } = config.mail
  if (smtp === undefined && config.environment === 'live') return undefined
  const sealer = createSealer(secrets.encryption, MAIL_PURPOSE, random)
  const mailer = smtp === undefined ? createMailboxMailer(common) : createSmtpMailer(smtp, smtp.from)
  return { queue: { sealer, emailVerification }, delivery: { ...common, sealer, mailer, accountUrl } }
}

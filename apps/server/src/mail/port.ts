/** An email as it leaves the service. */
export interface OutgoingMail {
  /** The same for every attempt, so that an email that arrives twice is recognized. */
  readonly id: string
  /** One address; names are never part of it. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The result of an attempt: `refused` is final, for example because the address does not exist. */
export type MailOutcome = { readonly outcome: 'sent' } | { readonly outcome: 'refused'; readonly reason: string }

/** The port to whatever carries mail: a mail server, or the sandbox's mailbox. */
export interface Mailer {
  /** Sends one email, or throws if another attempt may succeed. Ends early when the signal is aborted. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<MailOutcome>
}

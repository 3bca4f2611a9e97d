import type { Generated } from 'kysely'
import type { Now, Optional, WithDefault } from './column-types.ts'

export interface MailTables {
  mails: {
    id: Generated<number>
    /** What the email is about; its words follow from it. */
    kind: string
    /** A keyed digest of the address, to count what it gets. */
    recipient: Buffer
    /** A keyed digest of the network that requested it for an address without an account; null: no stranger did. */
    requester: Optional<Buffer>
    /** Sealed: the address, names and the token. Null once the email was sent or given up. */
    content: Optional<Buffer>
    /** How often it was sent without success. */
    attempts: WithDefault<number>
    /** Null: nothing is to be sent. */
    next_attempt_at: Optional<Date>
    created_at: Now
    /** When an email that could not be sent is given up. */
    expires_at: Date
    /** When the server took it; null: not sent. */
    sent_at: Optional<Date>
    /** Why it was given up, or why the last attempt failed. */
    failure: Optional<string>
    /** Whose mail it is; null for registrations, and for emails of earlier versions. */
    organization_id: Optional<number>
  }
  sandbox_mails: {
    id: Generated<number>
    recipient: string
    subject: string
    text_body: string
    html_body: string
    created_at: Now
  }
}

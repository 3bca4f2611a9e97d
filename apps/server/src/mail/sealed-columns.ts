import { ADDRESS_REQUEST_LABEL, mailLabel, registrationLabel } from '../identity/index.ts'
import type { SealedColumn } from '../secrets/index.ts'

/** The sealing purpose of everything that waits for an email. */
export const MAIL_PURPOSE = 'mail'

/** What is sealed until its email is sent, or its link is followed. */
export const MAIL_SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'mails',
    column: 'content',
    key: ['id'],
    reads: ['kind', 'recipient'],
    purpose: MAIL_PURPOSE,
    label: ({ kind, recipient }) => mailLabel({ kind: String(kind), recipient: recipient as Buffer }),
  },
  {
    table: 'address_requests',
    column: 'content',
    key: ['id'],
    purpose: MAIL_PURPOSE,
    label: () => ADDRESS_REQUEST_LABEL,
  },
  {
    table: 'account_tokens',
    column: 'registration',
    key: ['token_hash'],
    purpose: MAIL_PURPOSE,
    label: ({ token_hash: hash }) => registrationLabel(hash as Buffer),
  },
]

import { sql } from 'kysely'
import type { Database } from '../database/index.ts'
import { type Clock, Failure, MAILBOX_MAILS_MAX } from '../kernel/index.ts'
import type { Mailer } from './port.ts'

/** An email that the sandbox kept. */
export interface StoredMail {
  readonly id: number
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly createdAt: Date
}

export interface MailboxParts {
  readonly db: Database
  readonly clock: Clock
}

/** Keeps mail for the operator of the sandbox instead of sending it: the newest 500. */
export function createMailboxMailer({ db, clock }: MailboxParts): Mailer {
  return {
    async send({ to, subject, text, html }) {
      await db
        .insertInto('sandbox_mails')
        .values({ recipient: to, subject, text_body: text, html_body: html, created_at: clock.now() })
        .execute()
      await sql`
        delete from sandbox_mails where id <= (
          select id from sandbox_mails order by id desc offset ${MAILBOX_MAILS_MAX} limit 1
        )
      `.execute(db)
      return { outcome: 'sent' }
    },
  }
}

export interface MailboxPage {
  /** Only emails to this address. */
  readonly to?: string | undefined
  readonly limit: number
  readonly offset: number
}

/** The emails of the sandbox's mailbox, newest first, and how many there are. */
export async function listMailbox(
  { db }: Pick<MailboxParts, 'db'>,
  { to, limit, offset }: MailboxPage,
): Promise<{ readonly items: readonly StoredMail[]; readonly total: number }> {
  const kept =
    to === undefined ? db.selectFrom('sandbox_mails') : db.selectFrom('sandbox_mails').where('recipient', '=', to)
  const rows = await kept.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
  const { total } = await kept.select((count) => count.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { items: rows.map(keptMailFrom), total }
}

/** One mail of the sandbox's mailbox. NOT_FOUND if it never existed or was removed. */
export async function getStoredMail({ db }: Pick<MailboxParts, 'db'>, id: number): Promise<StoredMail> {
  const row = await db.selectFrom('sandbox_mails').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new Failure('NOT_FOUND', { message: 'The mailbox has no such email.' })
  return keptMailFrom(row)
}

function keptMailFrom(row: {
  id: number
  recipient: string
  subject: string
  text_body: string
  html_body: string
  created_at: Date
}): StoredMail {
  return {
    id: row.id,
    to: row.recipient,
    subject: row.subject,
    text: row.text_body,
    html: row.html_body,
    createdAt: row.created_at,
  }
}
